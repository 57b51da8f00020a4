import { expect, test } from 'vitest';
import { initial } from '../../state/shared';
import { openedDemo } from '../../testing';
import { keyIntent } from './keys';

const START = initial(await openedDemo());

test.each([
  ['w', 'zoom-x'],
  ['+', 'zoom-x'],
  ['S', 'zoom-x'],
  ['a', 'pan-x'],
  ['ArrowRight', 'pan-x'],
  ['b', 'mode'],
  ['p', 'peak'],
  ['r', 'reset'],
  ['q', undefined],
  ['Escape', undefined],
])('%s', (key, kind) => {
  expect(keyIntent(key, START, undefined)?.kind).toBe(kind);
});

test('zooms at the pointer when it is in view, else at the middle', () => {
  expect(keyIntent('w', START, 100)).toMatchObject({ at: 100 });
  expect(keyIntent('w', START, 1e9)).toMatchObject({
    at: (START.x.event.from + START.x.event.to) / 2,
  });
});

test('Escape leaves one thing at a time: box zoom, selection, cursor', () => {
  const cursor = { event: 5, time_us: undefined };
  const selected = { ...START, selection: { kind: 'block', block: 1 }, cursor } as const;
  expect(keyIntent('Escape', { ...selected, mode: 'box' }, undefined)?.kind).toBe('mode');
  expect(keyIntent('Escape', selected, undefined)?.kind).toBe('select');
  const marked = { ...START, cursor };
  expect(keyIntent('Escape', marked, undefined)).toEqual({ kind: 'cursor', event: undefined });
});
