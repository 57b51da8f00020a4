import type { Source } from '../wire/engine';
import type { Comparison } from './compare/comparison';
import type { ProgressNow } from '../wire/known';
import type { Session } from './session';

/** A recording that is open. */
export interface RecordingTab {
  readonly kind: 'recording';
  readonly id: number;
  readonly source: Source;
  readonly session: Session;
}

/** A recording that is being opened. */
export interface OpeningTab {
  readonly kind: 'opening';
  readonly id: number;
  readonly source: Source;
  readonly request: number;
  readonly now: ProgressNow | undefined;
  /** What the tab held, and holds again if this comes to nothing. */
  readonly before: RecordingTab | undefined;
}

/** Two recordings beside each other, which stay open as long as this is. */
export interface CompareTab {
  readonly kind: 'compare';
  readonly id: number;
  readonly comparison: Comparison;
  /** The file of the second one. */
  readonly partner: string | undefined;
}

/** What can be open. Another kind of tab is another member here, in `TabPanel` and in `Desk`. */
export type Tab = RecordingTab | OpeningTab | CompareTab;

/** The file of a tab that has one. */
export const sourceOf = (tab: Tab): Source | undefined =>
  tab.kind === 'compare' ? undefined : tab.source;

/** Whether two sources are the same file. */
export const isSameSource = (a: Source, b: Source): boolean =>
  a.kind === 'file'
    ? b.kind === 'file' && a.path === b.path
    : b.kind === 'sample' && a.which === b.which;

/** `tabs` with `id` moved to place `to`. */
export function moved(tabs: readonly Tab[], id: number, to: number): readonly Tab[] {
  const tab = tabs.find((one) => one.id === id);
  if (tab === undefined) return tabs;
  const others = tabs.filter((one) => one !== tab);
  return others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, tab);
}

/** The folders above a file, the nearest first. */
const foldersOf = (path: string): readonly string[] =>
  path
    .split(/[\\/]/)
    .filter((part) => part !== '')
    .slice(0, -1)
    .reverse();

/**
 * For each of `files`, the folder by which it is told apart from others of the same name: as many of
 * the nearest folders as it takes, and nothing where the name says it already.
 */
export function folderNotes(
  files: readonly { readonly name: string; readonly path: string | undefined }[],
): readonly (string | undefined)[] {
  return files.map((file) => {
    const { path } = file;
    const rivals = files.filter(
      (other) => other !== file && other.name === file.name && other.path !== path,
    );
    if (path === undefined || rivals.length === 0) return undefined;
    const folders = foldersOf(path);
    const taken = (depth: number): string => folders.slice(0, depth).reverse().join('/');
    const depths = Array.from({ length: folders.length }, (_, index) => index + 1);
    const isAlone = (depth: number): boolean =>
      rivals.every((rival) => {
        const theirs = foldersOf(rival.path ?? '');
        return theirs.slice(0, depth).reverse().join('/') !== taken(depth);
      });
    const depth = depths.find(isAlone) ?? folders.length;
    return depth === 0 ? undefined : taken(depth);
  });
}
