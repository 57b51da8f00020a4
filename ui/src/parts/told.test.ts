import { afterEach, expect, test } from 'vitest';
import { setLanguage } from '../text/language.svelte';
import { refusalText, remarkTold, stageText } from './told';

const remark = { code: 'truncated', count: 1, message: 'Ends at byte 12.' };

afterEach(() => {
  setLanguage('en');
});

test('in English the program speaks for itself', () => {
  expect(stageText('reading rows')).toBe('reading rows');
  expect(remarkTold(remark)).toEqual({ text: 'Ends at byte 12.', detail: undefined });
  expect(refusalText({ code: 'damaged', message: 'Broken at 7.' })).toBe('Broken at 7.');
});

test('in Chinese its codes are translated, and its words are the detail', () => {
  setLanguage('zh');
  expect(stageText('reading rows')).toBe('读取事件行');
  expect(remarkTold(remark)).toEqual({
    text: '文件不完整：只显示截断之前的内容。',
    detail: 'Ends at byte 12.',
  });
  expect(refusalText({ code: 'damaged', message: 'Broken at 7.' })).toBe(
    '文件已损坏，没有可显示的内容。\nBroken at 7.',
  );
});

test('a code that is newer than the page is told in the words of the program', () => {
  setLanguage('zh');
  expect(stageText('dreaming up')).toBe('dreaming up');
  expect(remarkTold({ ...remark, code: 'of_a_newer_program' }).text).toBe('Ends at byte 12.');
  expect(refusalText({ code: 'bug', message: 'index 3' })).toBe('index 3');
});
