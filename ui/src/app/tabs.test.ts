import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folderNotes } from './tabs';

const notes = (...paths: readonly string[]): readonly (string | undefined)[] =>
  folderNotes(paths.map((path) => ({ name: path.split(/[\\/]/).at(-1) ?? path, path })));

test('files of different names need no folder', () => {
  expect(notes('/r/a.pickle', '/r/b.pickle')).toEqual([undefined, undefined]);
});

test('files of the same name are told apart by the nearest folder that differs', () => {
  expect(notes('/r/run1/a.db', '/r/run2/a.db', '/r/run1/b.db')).toEqual([
    'run1',
    'run2',
    undefined,
  ]);
  expect(notes('/x/out/a.db', '/y/out/a.db')).toEqual(['x/out', 'y/out']);
  expect(notes('C:\\r\\run1\\a.db', 'C:\\r\\run2\\a.db')).toEqual(['run1', 'run2']);
});

test('a file without a path has no folder', () => {
  expect(
    folderNotes([
      { name: 'a', path: undefined },
      { name: 'a', path: '/r/a' },
    ]),
  ).toEqual([undefined, 'r']);
});

test('no two files of one name look the same, whatever their folders', () => {
  const folder = fc.constantFrom('a', 'b', 'c');
  const path = fc.array(folder, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(fc.uniqueArray(path, { minLength: 2, maxLength: 6 }), (folders) => {
      const found = notes(...folders.map((one) => `/${one}/file`));
      // One folder may be the end of another; then it is shown whole, and the other longer.
      expect(new Set(found).size).toBe(folders.length);
    }),
  );
});
