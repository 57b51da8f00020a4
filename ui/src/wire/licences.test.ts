import { expect, test } from 'vitest';
import { found, licences, textOf } from './licences';

test('every part has a name, a version and a licence, and its texts are there', async () => {
  const all = await licences();
  expect(all.parts.length).toBeGreaterThan(100);
  for (const part of all.parts) {
    expect(part.name).not.toBe('');
    expect(part.version).not.toBe('');
    expect(part.licence, part.name).not.toBe('');
    for (const key of part.texts) expect(all.texts[key], part.name).toBeTruthy();
  }
});

test('what the program itself is under comes with its text', async () => {
  const all = await licences();
  const own = all.parts.find(({ name }) => name === 'Tidemark');
  expect(own && textOf(all, own)).toContain('Apache License');
  for (const name of ['svelte', 'tauri', 'rusqlite', 'SQLite', 'echarts'])
    expect(all.parts.map((part) => part.name)).toContain(name);
});

test('parts are found by name and by licence', () => {
  const part = (name: string, licence: string) => ({
    name,
    licence,
    version: '1',
    authors: [],
    texts: [],
  });
  const parts = [part('serde', 'MIT OR Apache-2.0'), part('zrender', 'BSD-3-Clause')];
  expect(found(parts, ' SERDE ')).toEqual([parts[0]]);
  expect(found(parts, 'bsd')).toEqual([parts[1]]);
  expect(found(parts, '')).toEqual(parts);
  expect(found(parts, 'gpl')).toEqual([]);
});
