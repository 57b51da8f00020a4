import { expect, test } from 'vitest';
import { openedDemo } from '../testing';
import { carrierText, dumpText } from './dump-text';
import { factsOf, guideFamily } from './facts';

test('says what was there before, what has no stack, and the remarks', async () => {
  const { summary } = await openedDemo();
  const texts = factsOf(summary, summary.devices[0]).map((fact) => fact.text);
  expect(texts[0]).toMatch(/^Recording began late: 56 blocks \(11\.\d\d GiB\)/);
  expect(texts.join(' ')).toContain('12 % of the events have no stack');
  expect(texts.at(-1)).toContain('invented');
});

test('a recording without history says how to record one', async () => {
  const { summary } = await openedDemo('empty.pickle');
  const [first] = factsOf(summary, summary.devices[0]);
  expect(first?.text).toContain('No history was recorded');
  expect(first?.why).toContain('torch.cuda.memory._record_memory_history()');
  const [onNpu] = factsOf({ ...summary, family: 'npu' }, summary.devices[0]);
  expect(onNpu?.why).toContain('torch_npu.npu.memory._record_memory_history()');
});

test('a dump is told of stacks only when none has one', async () => {
  const { summary } = await openedDemo('memscope_dump.db');
  const [device] = summary.devices;
  if (device === undefined) throw new Error('no device');
  // Frees have none, and that is how it is.
  const some = { ...device, events_without_stack: device.events - 1 };
  expect(factsOf(summary, some).map(({ text }) => text)).toEqual([
    'This recording is invented: the page runs without the program.',
  ]);
  const none = { ...device, events_without_stack: device.events };
  const [first] = factsOf(summary, none);
  expect(first?.text).toBe('No event has a stack.');
  expect(first?.why).toContain('--call-stack=python,c');
  expect(guideFamily(summary)).toBe('memscope');
});

test('what a dump is, is said in words; of one process and no traced thread too', async () => {
  const { summary } = await openedDemo('memscope_dump.db');
  if (summary.dump === undefined) throw new Error('no dump');
  const many = { rows: 5432, processes: [1, 2], threads: 3, length_us: 48_500_000 };
  expect(dumpText({ ...summary, dump: { ...summary.dump, ...many } })).toBe(
    '5,432 rows · 2 processes · 3 Python threads · 48.5 s',
  );
  const few = { rows: 1, processes: [1], threads: 0, length_us: 12 };
  expect(dumpText({ ...summary, dump: { ...summary.dump, ...few } })).toBe(
    '1 row · 1 process · 12 µs',
  );
  expect(carrierText({ ...summary, carrier: 'csv' })).toBe('msMemScope dump, CSV');
  expect(carrierText({ ...summary, dump: undefined, carrier: 'gzip' })).toBe('gzip');
  expect(dumpText({ ...summary, dump: undefined })).toBeUndefined();
});
