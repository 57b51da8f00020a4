import type * as wire from './bindings';
import type { Known } from './known';

export type ProjectView = Known<wire.ProjectView>;
export type ProjectList = Known<wire.ProjectList>;
export type ProjectTrouble = Known<wire.Trouble>;
export type ProjectFile = wire.ProjectFile;
export type ProjectOpened = Known<wire.ProjectOpened>;
export type BookmarkView = Known<wire.BookmarkView>;

/** What was opened before, and what is kept of it. */
export interface ProjectEngine {
  list(): Promise<ProjectList>;
  /** How the file of a project is now. */
  file(project: number): Promise<ProjectFile>;
  /** How the file at `path` is beside what is remembered of a project. */
  compare(project: number, path: string): Promise<ProjectFile>;
  /** The file of a project is at `path` now. */
  relocate(project: number, path: string): Promise<void>;
  pin(project: number): Promise<void>;
  unpin(project: number): Promise<void>;
  remove(project: number): Promise<void>;
  /** Puts an open recording in the list; nothing for one that has no place there. */
  opened(session: number): Promise<ProjectOpened | undefined>;
  /** Keeps where an open recording is, as JSON. */
  save(session: number, project: number, state: string): Promise<void>;
  /** Keeps a place, as JSON, with a note; answers with its id. */
  addBookmark(project: number, place: string, note: string): Promise<number>;
  changeNote(bookmark: number, note: string): Promise<void>;
  removeBookmark(bookmark: number): Promise<void>;
}
