import { expect, test } from 'vitest';
import type { FrameView } from '../../wire/known';
import { HiddenFrames, hides, withoutHidden } from './hide';

const frame = (file: string, name: string, line = 1): FrameView => ({
  kind: 'library',
  file,
  name,
  line,
});
const LINEAR = frame('/x/site-packages/torch/nn/modules/linear.py', 'forward', 116);
const MODULE = frame('/x/site-packages/torch/nn/modules/module.py', '_call_impl', 1562);
const TRAIN = frame('/w/train.py', 'main', 12);
const ALL = [LINEAR, MODULE, TRAIN];

const left = (...patterns: readonly string[]): readonly FrameView[] => withoutHidden(ALL, patterns);

test('plain text hides frames with it in their file, line or name, whatever its case', () => {
  expect(left('TORCH/NN')).toEqual([TRAIN]);
  expect(left('_call_impl')).toEqual([LINEAR, TRAIN]);
  expect(left('train.py:12')).toEqual([LINEAR, MODULE]);
  expect(left('py:12 forward')).toEqual(ALL);
});

test('a star stands for anything, everything else for itself', () => {
  expect(left('torch/*/module.py')).toEqual([LINEAR, TRAIN]);
  expect(left('torch/nn/*')).toEqual([TRAIN]);
  expect(left('modules/*forward')).toEqual([MODULE, TRAIN]);
  expect(left('module.*y')).toEqual([LINEAR, TRAIN]);
  expect(left('trainxpy', 'train?py', '(main|forward)', '[a-z]')).toEqual(ALL);
});

test('a pattern of nothing hides nothing', () => {
  for (const pattern of ['', '  ', '*', '**']) expect(hides(pattern)(LINEAR)).toBe(false);
});

test('patterns add up; each is kept once, trimmed, and can be taken back', () => {
  const hiding = new HiddenFrames();
  for (const pattern of [' linear ', 'linear', '*', '', 'main']) hiding.add(pattern);
  expect(hiding.patterns.get()).toEqual(['linear', 'main']);
  expect(withoutHidden(ALL, hiding.patterns.get())).toEqual([MODULE]);
  hiding.remove('linear');
  expect(hiding.patterns.get()).toEqual(['main']);
});
