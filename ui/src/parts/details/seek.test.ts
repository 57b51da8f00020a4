import { expect, test } from 'vitest';
import type { FrameView } from '../../wire/known';
import { seek, type Piece } from './seek';

const FRAMES: readonly FrameView[] = [
  { kind: 'user', file: '/w/mlp.py', name: 'forward', line: 62 },
  { kind: 'native', file: 'mlp.so', name: 'at::mlp(int)', line: undefined },
  { kind: 'user', file: '/w/train.py', name: 'main', line: 3 },
];

const text = (pieces: readonly Piece[] | undefined): string =>
  (pieces ?? [])
    .map((piece) =>
      piece.hit === undefined ? piece.text : `[${piece.hit.toString()}:${piece.text}]`,
    )
    .join('');

test('hits are counted from the top over titles and the files that are shown', () => {
  const { hits, frames } = seek(FRAMES, 'MLP');
  expect(hits).toBe(3);
  expect(frames.map(({ title }) => text(title))).toEqual([
    '[0:mlp].py:62 forward',
    'at::[2:mlp](int)',
    'train.py:3 main',
  ]);
  // The file of native code is not shown.
  expect(frames.map(({ file }) => text(file))).toEqual(['/w/[1:mlp].py', '', '/w/train.py']);
  expect(frames.map(({ hasHit }) => hasHit)).toEqual([true, true, false]);
});

test('what is typed is text, not a pattern', () => {
  expect(seek(FRAMES, '(int)').hits).toBe(1);
  expect(seek(FRAMES, '.').hits).toBe(4);
  expect(seek(FRAMES, 'ma*').hits).toBe(0);
});

test('nothing typed finds nothing and leaves the text whole', () => {
  const { hits, frames } = seek(FRAMES, ' ');
  expect(hits).toBe(0);
  expect(frames[0]?.title).toEqual([{ text: 'mlp.py:62 forward', hit: undefined }]);
});
