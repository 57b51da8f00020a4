import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../src/app/App.svelte';
import { Desk } from '../src/app/desk';
import '../src/app/lifecycle.css';
import '../src/app/theme.css';
import { ThemeSwitch } from '../src/app/theme';
import { Busy } from '../src/base/busy';
import { demoEngine } from '../src/wire/demo/engine';

const copied = vi.fn<(text: string) => Promise<void>>();

beforeEach(() => {
  localStorage.clear();
  copied.mockReset().mockResolvedValue();
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(copied);
});

function stand(diagnostics: () => Promise<string>): { desk: Desk; reported: string[] } {
  const reported: string[] = [];
  const desk = new Desk({
    ...demoEngine({ pace: 0 }),
    diagnostics,
    reportError: (text) => {
      reported.push(text);
      return Promise.resolve();
    },
  });
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy: new Busy(), theme, drawing: 'raster' });
  return { desk, reported };
}

test('an error of the page is reported, and copied with the diagnostics; the app goes on', async () => {
  const { desk, reported } = stand(() => Promise.resolve('Tidemark 1.2.3\nlog:\nstart'));
  desk.fail(new Error('no such lane'));
  await page.getByTestId('notice-copy').click();
  await expect.element(page.getByTestId('notice-copy')).toHaveTextContent('Copied');
  const text = copied.mock.calls[0]?.[0] ?? '';
  expect(text).toContain('A bug in Tidemark');
  expect(text).toContain('Error: no such lane');
  expect(text).toContain('drawing raster, language en, theme auto');
  expect(text).toContain('Tidemark 1.2.3\nlog:\nstart');
  expect(reported).toHaveLength(1);
  expect(reported[0]).toContain('no such lane');
  await page.getByTestId('open-sample').click();
  await expect.element(page.getByTestId('status')).toHaveTextContent('sample.pickle');
});

test('without diagnostics the error itself is copied', async () => {
  const { desk } = stand(() => Promise.reject(new Error('nobody there')));
  desk.fail(new Error('no such lane'));
  await page.getByTestId('notice-copy').click();
  await expect.element(page.getByTestId('notice-copy')).toHaveTextContent('Copied');
  expect(copied.mock.calls[0]?.[0]).toContain('no such lane');
  expect(copied.mock.calls[0]?.[0]).toContain('nobody there');
});
