import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../src/app/App.svelte';
import { counted } from '../src/app/counted';
import { Desk } from '../src/app/desk';
import '../src/app/lifecycle.css';
import '../src/app/theme.css';
import { ThemeSwitch } from '../src/app/theme';
import { Busy } from '../src/base/busy';
import { demoEngine } from '../src/wire/demo/engine';
import type { Engine } from '../src/wire/engine';
import type { FrameView, StackView } from '../src/wire/known';
import { blockName } from './names';

const TORCH = '/opt/venv/lib/python3.11/site-packages/torch';
const frame = (kind: string, file: string, name: string, line: number): FrameView => ({
  kind,
  file,
  name,
  line,
});
/** Two folds, of which `linear` is in the first and in the first only. */
const FRAMES: readonly FrameView[] = [
  frame('library', `${TORCH}/nn/functional.py`, 'dropout', 1268),
  frame('library', `${TORCH}/nn/modules/linear.py`, 'forward', 116),
  frame('user', '/w/model.py', 'forward', 62),
  frame('library', `${TORCH}/nn/modules/module.py`, '_call_impl', 1562),
  frame('user', '/w/train.py', 'main', 12),
];

/** The page with block 5 selected, whose stack is `stack`. */
async function opened(stack: StackView = { frames: FRAMES, missing: undefined }): Promise<Desk> {
  const demo = demoEngine({ pace: 0 });
  const engine: Engine = {
    ...demo,
    block: async (session, device, block) => ({
      ...(await demo.block(session, device, block)),
      alloc_stack: stack,
    }),
  };
  const busy = new Busy();
  const desk = new Desk(counted(engine, busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  await desk.open({ kind: 'file', path: '/r/rank0.pickle' });
  select(desk, 5);
  await expect.element(page.getByTestId('details-stack')).toBeInTheDocument();
  return desk;
}

const select = (desk: Desk, block: number): void => {
  desk.session
    .get()
    ?.send({ kind: 'select', selection: { kind: 'block', block }, wanted: 'nothing' });
};

const stack = () => page.getByTestId('details-stack');
const marks = (): readonly string[] =>
  [...stack().element().querySelectorAll('mark')].map(
    (mark) => `${mark.textContent}${mark.classList.contains('is-current') ? '!' : ''}`,
  );
const titles = (): readonly string[] =>
  [...stack().element().querySelectorAll('.frame span')].map((one) => one.textContent.trim());

beforeEach(() => {
  localStorage.clear();
  const style = document.createElement('style');
  style.textContent = 'body > div { height: 100vh }';
  document.head.append(style);
});

afterEach(() => {
  vi.restoreAllMocks();
});

test('text is found in a stack, also in a fold, and walked through round', async () => {
  await opened();
  expect(titles()).toEqual(['model.py:62 forward', 'train.py:12 main']);
  await stack().getByTestId('stack-find').click();
  await userEvent.keyboard('FORWARD');
  await expect.element(stack().getByTestId('stack-hits')).toHaveTextContent('1/2');
  expect(titles()).toContain('linear.py:116 forward');
  expect(titles()).not.toContain('module.py:1562 _call_impl');
  expect(marks()).toEqual(['forward!', 'forward']);
  await userEvent.keyboard('{Enter}');
  await expect.element(stack().getByTestId('stack-hits')).toHaveTextContent('2/2');
  expect(marks()).toEqual(['forward', 'forward!']);
  await stack().getByTestId('stack-next').click();
  expect(marks()).toEqual(['forward!', 'forward']);
  await stack().getByTestId('stack-previous').click();
  expect(marks()).toEqual(['forward', 'forward!']);
  await stack().getByTestId('stack-find-field').fill('nowhere');
  await expect.element(stack().getByTestId('stack-hits')).toHaveTextContent('not found');
  await userEvent.keyboard('{Escape}');
  expect(marks()).toEqual([]);
  // The key closed the field, not the selection.
  await expect.element(page.getByTestId('details')).toHaveTextContent(blockName(5));
});

test('compiled code says the line of the model and its node, unfolded', async () => {
  const compiled: FrameView = {
    ...frame('library', '<eval_with_key>.7', 'forward', 12),
    traced: {
      op: 'call_function',
      name: 'addmm',
      target: 'aten.addmm.default',
      line: { file: '/w/net.py', line: 7, name: 'forward', code: 'y = self.up(x)' },
      trace: '  File "/w/net.py", line 7, in forward\n    y = self.up(x)\n',
    },
  };
  await opened({
    frames: [...FRAMES.slice(0, 2), compiled, ...FRAMES.slice(3)],
    missing: undefined,
  });
  const model = stack().getByTestId('frame-model');
  await expect.element(model).toHaveTextContent('model: net.py:7 forward: y = self.up(x)');
  await expect.element(model).toHaveAttribute('title', expect.stringContaining('"/w/net.py"'));
  await expect
    .element(stack().getByTestId('frame-node'))
    .toHaveTextContent('node: call_function addmm → aten.addmm.default');
  // What is around it stays folded, and only it was compiled.
  expect(stack().element().querySelectorAll('.fold')).toHaveLength(2);
  await stack().getByTestId('stack-find').click();
  await userEvent.keyboard('self.up');
  await expect.element(stack().getByTestId('stack-hits')).toHaveTextContent('1/1');
  expect(marks()).toEqual(['self.up!']);
});

test('frames are hidden by pattern, shown with one click, and the patterns are kept', async () => {
  const desk = await opened();
  await stack().getByTestId('stack-hide').click();
  await userEvent.keyboard('torch/*{Enter}');
  await expect.element(stack().getByTestId('stack-hidden')).toHaveTextContent('3 frames hidden');
  expect(stack().element().querySelectorAll('.fold')).toHaveLength(0);
  await userEvent.keyboard('train.py{Enter}');
  await expect.element(stack().getByTestId('stack-hidden')).toHaveTextContent('4 frames hidden');
  expect(titles()).toEqual(['model.py:62 forward']);
  await stack().getByText('show', { exact: true }).click();
  expect(titles()).toEqual(['model.py:62 forward', 'train.py:12 main']);
  expect(stack().element().querySelectorAll('.fold')).toHaveLength(2);
  await stack().getByText('hide', { exact: true }).click();
  expect(titles()).toEqual(['model.py:62 forward']);
  // Another block, and the recording opened again.
  select(desk, 9);
  await expect.element(page.getByTestId('details')).toHaveTextContent(blockName(9));
  await expect.element(stack().getByTestId('stack-hidden')).toHaveTextContent('4 frames hidden');
  desk.close();
  await desk.open({ kind: 'file', path: '/r/rank1.pickle' });
  select(desk, 5);
  await expect.element(stack().getByTestId('stack-hidden')).toHaveTextContent('4 frames hidden');
  await stack().getByTestId('stack-hide').click();
  await stack().getByRole('button', { name: 'Show frames with train.py again' }).click();
  await expect.element(stack().getByTestId('stack-hidden')).toHaveTextContent('3 frames hidden');
  expect(titles()).toEqual(['model.py:62 forward', 'train.py:12 main']);
});

test('a stack is copied as shown or whole', async () => {
  await opened();
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await stack().getByTestId('stack-hide').click();
  await userEvent.keyboard('_call_impl{Enter}');
  await stack().getByTestId('stack-copy-shown').click();
  expect(write.mock.lastCall?.[0].split('\n')).toEqual([
    '(2 frames of torch/nn/…)',
    '/w/model.py:62 forward',
    '/w/train.py:12 main',
  ]);
  await stack().getByTestId('stack-copy').click();
  expect(write.mock.lastCall?.[0].split('\n')).toHaveLength(5);
  expect(write.mock.lastCall?.[0]).toContain('module.py:1562 _call_impl');
});

test.each([
  ['before_recording', ['not in this recording', 'overwritten']],
  ['no_context', ['context=None']],
  ['empty', ['backward thread', 'NPU']],
  ['of_a_newer_program', ['No stack was recorded']],
])('a stack that is not there says why: %s', async (missing, words) => {
  await opened({ frames: [], missing });
  for (const word of words) {
    await expect.element(stack().getByTestId('stack-missing')).toHaveTextContent(word);
  }
  await expect.element(stack().getByTestId('stack-find')).not.toBeInTheDocument();
});

test('what is kept open outlives the selection, and the width is remembered', async () => {
  const desk = await opened();
  await page.getByTestId('pin').click();
  select(desk, 9);
  await expect.element(page.getByRole('tab', { name: blockName(9) })).toBeInTheDocument();
  await page.getByRole('button', { name: 'Deselect' }).click();
  await expect.element(page.getByRole('tab', { name: blockName(9) })).not.toBeInTheDocument();
  await page.getByRole('tab', { name: blockName(5) }).click();
  await expect.element(stack()).toHaveTextContent('model.py:62 forward');
  const grip = page.getByRole('separator', { name: 'Width of the details' });
  const width = (): number => page.getByTestId('details').element().getBoundingClientRect().width;
  const before = width();
  (grip.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(width()).toBe(before + 48);
  desk.close();
  await desk.open({ kind: 'file', path: '/r/rank1.pickle' });
  await expect.element(page.getByTestId('status')).toHaveTextContent('rank1.pickle');
  expect(width()).toBe(before + 48);
  await expect.element(page.getByRole('tab', { name: blockName(5) })).not.toBeInTheDocument();
});
