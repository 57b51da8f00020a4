import { expect, test } from 'vitest';
import { initial } from '../../state/shared';
import { openedDemo } from '../../testing';
import { viewIntent } from './keys';

const START = initial(await openedDemo());

test.each([
  ['zoom-in', 'zoom-x'],
  ['zoom-out', 'zoom-x'],
  ['pan-left', 'pan-x'],
  ['pan-right', 'pan-x'],
  ['box', 'mode'],
  ['period', 'mode'],
  ['peak', 'peak'],
  ['whole', 'reset'],
  ['deselect', undefined],
] as const)('%s', (command, kind) => {
  expect(viewIntent(command, START, undefined)?.kind).toBe(kind);
});

test('zooms at the pointer when it is in view, else at the middle', () => {
  expect(viewIntent('zoom-in', START, 100)).toMatchObject({ at: 100 });
  expect(viewIntent('zoom-in', START, 1e9)).toMatchObject({
    at: (START.x.event.from + START.x.event.to) / 2,
  });
});

test('deselecting leaves one thing at a time: box zoom, selection, cursor', () => {
  const cursor = { event: 5, time_us: undefined };
  const selected = { ...START, selection: { kind: 'block', block: 1 }, cursor } as const;
  expect(viewIntent('deselect', { ...selected, mode: 'box' }, undefined)?.kind).toBe('mode');
  expect(viewIntent('deselect', selected, undefined)?.kind).toBe('select');
  const marked = { ...START, cursor };
  const intent = { kind: 'cursor', event: undefined };
  expect(viewIntent('deselect', marked, undefined)).toEqual(intent);
});
