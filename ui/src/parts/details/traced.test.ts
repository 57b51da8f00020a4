import { expect, test } from 'vitest';
import type { FrameView } from '../../wire/known';
import { foldFrames } from './fold';
import { seek } from './seek';
import { tracedText } from './traced';

const plain: FrameView = { kind: 'library', file: '<eval_with_key>.1', name: 'forward', line: 4 };
const line = { file: '/w/net.py', line: 7, name: 'forward', code: 'y = self.up(x)' };
const node = { op: 'call_function', name: 'addmm', target: 'aten.addmm', line, trace: 'T\n' };
const compiled: FrameView = { ...plain, traced: node };

test('a frame of compiled code says its node and the line of the model', () => {
  expect(tracedText(compiled)).toEqual({
    node: 'call_function addmm → aten.addmm',
    model: 'net.py:7 forward: y = self.up(x)',
    trace: 'T',
  });
  expect(tracedText(plain)).toBeUndefined();
});

test('what is not known is left out', () => {
  const bare = { op: undefined, name: 'up', target: 'up', line: undefined, trace: undefined };
  expect(tracedText({ ...plain, traced: bare })).toEqual({
    node: 'up',
    model: '',
    trace: undefined,
  });
  const place = { ...line, line: undefined, name: '', code: undefined };
  const odd = { ...bare, name: undefined, target: undefined, line: place };
  expect(tracedText({ ...plain, traced: odd })?.model).toBe('net.py');
  expect(tracedText({ ...plain, traced: { ...odd, line: undefined } })).toBeUndefined();
});

test('compiled code whose line of the model is known is not folded away', () => {
  const user: FrameView = { kind: 'user', file: '/w/train.py', name: 'main', line: 3 };
  expect(foldFrames([plain, compiled, user]).map(({ kind }) => kind)).toEqual([
    'fold',
    'frame',
    'frame',
  ]);
});

test('the line of the model and the node are searched', () => {
  const { hits, frames } = seek([compiled, plain], 'self.up');
  expect(hits).toBe(1);
  expect(frames[0]?.model.map(({ text }) => text)).toEqual([
    'net.py:7 forward: y = ',
    'self.up',
    '(x)',
  ]);
  expect(seek([compiled], 'addmm').hits).toBe(2);
});
