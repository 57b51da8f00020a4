import { afterEach, expect, test } from 'vitest';
import { setLanguage } from '../../text/language.svelte';
import { DUMP_BLOCKS, DUMP_EVENTS } from './dump-columns';
import { columnName, otherName } from './names';

const exact = { unit: 'B', times: 'ns' } as const;

afterEach(() => {
  setLanguage('en');
});

test('the tables of a dump are headed as the manual heads them, in both languages', () => {
  const names = (): readonly string[] =>
    DUMP_BLOCKS.slice(0, 12).map(({ id }) => columnName('dump_blocks', id, exact));
  expect(names().slice(0, 4)).toEqual(['ID', 'Addr', 'Size(bytes)', 'Malloc Timestamp(ns)']);
  setLanguage('zh');
  expect(names()).toEqual([
    '内存块ID',
    '内存块地址',
    '内存块大小(bytes)',
    '申请时间(ns)',
    '释放时间(ns)',
    '申请者',
    '进程ID',
    '线程ID',
    '首次访问时间(ns)',
    '末次访问时间(ns)',
    '最大访问时间间隔(ns)',
    '特有属性',
  ]);
  const events = DUMP_EVENTS.slice(0, 11).map(({ id }) => columnName('dump_events', id, exact));
  expect(events.join()).toBe(
    '事件ID,事件类型,事件子类型,名称,时间戳(ns),进程ID,线程ID,内存地址,特有属性,调用栈(Python),调用栈(C)',
  );
});

test('the other language is a hint, where the manuals have the column', () => {
  expect(otherName('dump_blocks', 'owner')).toBe('申请者');
  expect(otherName('blocks', 'top_frame')).toBeUndefined();
  setLanguage('zh');
  expect(otherName('dump_blocks', 'owner')).toBe('Owner');
  expect(columnName('blocks', 'top_frame', exact)).toBe('栈顶用户帧');
});
