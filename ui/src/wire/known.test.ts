import { expect, test } from 'vitest';
import { wireError } from './error';
import { known } from './known';

test('absent is undefined, however deep', () => {
  expect(known({ a: null, b: [{ c: null, d: 0 }], e: 'null' })).toEqual({
    a: undefined,
    b: [{ c: undefined, d: 0 }],
    e: 'null',
  });
});

test('a refusal stays what it is', () => {
  const refusal = { code: 'damaged', message: 'cut short' };
  expect(wireError(refusal)).toEqual(refusal);
});

test.each([[new Error('boom')], ['boom'], [{ code: 'new', message: 'boom' }]])(
  'anything else is a bug of ours: %s',
  (thrown) => {
    const error = wireError(thrown);
    expect(error.code).toBe('bug');
    expect(error.message).toContain('boom');
  },
);
