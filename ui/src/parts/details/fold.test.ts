import { expect, test } from 'vitest';
import type { FrameView } from '../../wire/known';
import { commonPlace, foldFrames, frameTitle, packagePath, shownText, stackText } from './fold';

const TORCH = '/opt/venv/lib/python3.11/site-packages/torch';
const frame = (kind: string, file: string, name = 'f', line = 1): FrameView => ({
  kind,
  file,
  name,
  line,
});

test('the user’s frames stand alone, others are folded', () => {
  const rows = foldFrames([
    frame('native', '??'),
    frame('library', `${TORCH}/nn/functional.py`),
    frame('user', '/w/mlp.py'),
    frame('library', `${TORCH}/nn/modules/module.py`),
    frame('library', `${TORCH}/nn/modules/linear.py`),
    frame('user', '/w/train.py'),
    frame('library', '/usr/lib/python3.11/runpy.py'),
  ]);
  const seen = rows.map((row) => (row.kind === 'frame' ? row.frame.file : row.where));
  expect(seen).toEqual([
    'torch/nn/functional.py',
    '/w/mlp.py',
    'torch/nn/modules/…',
    '/w/train.py',
    'runpy.py',
  ]);
});

test('a stack without the user’s frames is shown whole', () => {
  const rows = foldFrames([frame('native', '??'), frame('library', `${TORCH}/a.py`)]);
  expect(rows.map((row) => row.kind)).toEqual(['frame', 'frame']);
});

test('nothing in common names the packages', () => {
  expect(
    commonPlace([frame('library', `${TORCH}/a.py`), frame('library', '/x/site-packages/np/b.py')]),
  ).toBe('torch, np');
  expect(commonPlace([frame('native', '??')])).toBeUndefined();
});

test('titles and paths', () => {
  expect(frameTitle(frame('user', '/w/mlp.py', 'forward', 62))).toBe('mlp.py:62 forward');
  const unlined = { ...frame('user', 'C:\\w\\mlp.py', 'forward'), line: undefined };
  expect(frameTitle(unlined)).toBe('mlp.py forward');
  expect(frameTitle(frame('native', '??', 'at::empty'))).toBe('at::empty');
  expect(packagePath('/usr/lib/python3/dist-packages/x/y.py')).toBe('x/y.py');
});

test('a stack is copied whole, or as it is shown: a closed fold is one line', () => {
  const frames = [
    frame('library', `${TORCH}/a.py`, 'g', 7),
    frame('library', `${TORCH}/a.py`, 'h', 8),
    frame('user', '/w/mlp.py', 'forward', 62),
    frame('native', '??', 'at::empty'),
  ];
  expect(stackText(frames).split('\n')).toEqual([
    `${TORCH}/a.py:7 g`,
    `${TORCH}/a.py:8 h`,
    '/w/mlp.py:62 forward',
    '??:1 at::empty',
  ]);
  const words = (count: number, where: string | undefined): string =>
    `${count.toString()} of ${where ?? 'native'}`;
  const shown = shownText(foldFrames(frames), (row) => row.index === 3, words);
  expect(shown.split('\n')).toEqual([
    '(2 of torch/a.py)',
    '/w/mlp.py:62 forward',
    '??:1 at::empty',
  ]);
});
