import { expect, test } from 'vitest';
import { systemLanguage } from './language';

test.each([
  [['zh-CN', 'en-US'], 'zh'],
  [['zh_CN.UTF-8'], 'zh'],
  [['zh-Hant-TW'], 'zh'],
  [['en-GB', 'zh-CN'], 'en'],
  [['de-DE', 'zh', 'en'], 'zh'],
  [['C'], 'en'],
  [['POSIX'], 'en'],
  [[''], 'en'],
  [[], 'en'],
  [['zhx', '---'], 'en'],
] as const)('a system that says %j is shown %s', (tags, language) => {
  expect(systemLanguage(tags)).toBe(language);
});
