import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../src/app/App.svelte';
import { counted } from '../src/app/counted';
import { Desk } from '../src/app/desk';
import { startLanguage } from '../src/app/language';
import '../src/app/lifecycle.css';
import '../src/app/theme.css';
import { ThemeSwitch } from '../src/app/theme';
import { Busy } from '../src/base/busy';
import { setLanguage } from '../src/text/language.svelte';
import { demoEngine } from '../src/wire/demo/engine';

const root = document.documentElement;

function stand(tags: readonly string[]): Desk {
  startLanguage(root, tags);
  const busy = new Busy();
  const desk = new Desk(counted(demoEngine({ pace: 0 }), busy));
  void render(App, { desk, busy, theme: new ThemeSwitch(root), drawing: 'raster' });
  return desk;
}

const idle = async (): Promise<void> => {
  await window.__tidemark?.idle();
};

async function opened(sample: 'open-sample' | 'open-sample-dump'): Promise<Desk> {
  const desk = stand(['en-US']);
  await page.getByTestId(sample).click();
  await expect.element(page.getByTestId('lifecycle-canvas')).toBeInTheDocument();
  await vi.waitFor(
    () => {
      if (window.__tidemark?.bandAt(0) === undefined) throw new Error('no band yet');
    },
    { timeout: 10_000 },
  );
  await idle();
  return desk;
}

const choose = async (language: 'en' | 'zh'): Promise<void> => {
  await page.getByTestId(`language-${language}`).click();
  await idle();
};

/** What is the same in Chinese: names, codes, numbers with units. */
const NAMES = /^(?:EN|Tidemark|A|B|[\d.,–−+·\s/%<>×?…▸▾▶❚#:()]*(?:[KMG]iB|[nµum]?s|k|M|B)?)$/;

/** Texts of the page that the person reads, each once. */
function shown(): readonly string[] {
  const found = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    found.add(node.textContent?.trim() ?? '');
  for (const element of document.body.querySelectorAll('*'))
    for (const name of ['title', 'aria-label', 'placeholder'])
      found.add(element.getAttribute(name)?.trim() ?? '');
  return [...found].filter((text) => text !== '' && !NAMES.test(text));
}

/** Whether a text has words of English in a row. */
const isEnglish = (text: string): boolean =>
  !/\p{Script=Han}/u.test(text) && /[A-Za-z]{2,} [A-Za-z]{2,}/.test(text);

beforeEach(() => {
  localStorage.clear();
  const style = document.createElement('style');
  style.textContent = 'body > div { height: 100vh }';
  document.head.append(style);
});

afterEach(() => {
  setLanguage('en');
});

test('the first start is in the language of the system, the next in the one chosen', async () => {
  stand(['zh-CN', 'en']);
  await expect.element(page.getByTestId('open-button')).toHaveTextContent('打开采集文件…');
  expect(root.lang).toBe('zh-CN');
  await choose('en');
  expect(root.lang).toBe('en');
  await expect.element(page.getByTestId('open-button')).toHaveTextContent('Open a recording…');
  startLanguage(root, ['zh-CN']);
  expect(root.lang).toBe('en');
});

test('what is chosen in another window is shown here too', async () => {
  stand(['en']);
  await expect.element(page.getByTestId('open-button')).toHaveTextContent('Open a recording…');
  localStorage.setItem('tidemark.language', '"zh"');
  dispatchEvent(new StorageEvent('storage', { key: 'tidemark.language' }));
  await expect.element(page.getByTestId('open-button')).toHaveTextContent('打开采集文件…');
});

test.each([[['C']], [[]], [['not a language', '--']]])(
  'a system locale %j that is none gives English, and no error',
  async (tags) => {
    stand(tags);
    await expect.element(page.getByTestId('open-button')).toHaveTextContent('Open a recording…');
    expect(root.lang).toBe('en');
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  },
);

test.each(['open-sample', 'open-sample-dump'] as const)(
  'a switch changes the words and nothing else (%s)',
  async (sample) => {
    const desk = await opened(sample);
    const session = desk.session.get();
    if (session === undefined) throw new Error('nothing is open');
    session.send({ kind: 'peak' });
    session.send({ kind: 'zoom-x', at: 100, factor: 0.5 });
    await idle();
    const shared = session.shared.get();
    const canvas = page.getByTestId('lifecycle-canvas').element();
    await expect.element(page.getByText('Lifecycle', { exact: true })).toBeInTheDocument();

    await choose('zh');
    await expect.element(page.getByText('内存块生命周期图', { exact: true })).toBeInTheDocument();
    expect(desk.session.get()).toBe(session);
    expect(session.shared.get()).toEqual(shared);
    expect(page.getByTestId('lifecycle-canvas').element()).toBe(canvas);
    expect(shown().filter(isEnglish)).toEqual([]);

    await choose('en');
    await expect.element(page.getByText('Lifecycle', { exact: true })).toBeInTheDocument();
    expect(session.shared.get()).toEqual(shared);
    // A column's title is its name in the other language, above what a click does if it does.
    const chinese = shown().filter((text) => /\p{Script=Han}/u.test(text.split('\n').at(-1) ?? ''));
    expect(chinese.filter((text) => text !== '特有属性')).toEqual(['中']);
  },
);

test('what is drawn is drawn again in the other language', async () => {
  await opened('open-sample');
  const drawn = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillText');
  await choose('zh');
  await vi.waitFor(() => {
    expect(drawn.mock.calls.some(([text]) => text.includes('峰值'))).toBe(true);
  });
  drawn.mockRestore();
});
