import { expect, test } from 'vitest';
import { openedDemo } from '../testing';
import { factsOf } from './facts';

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
