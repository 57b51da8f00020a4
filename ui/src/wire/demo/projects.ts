import type { Source } from '../engine';
import { Refusal } from '../error';
import type { Opened } from '../known';
import type { BookmarkView, ProjectEngine, ProjectFile, ProjectView } from '../projects';

interface Kept {
  readonly view: ProjectView;
  readonly state: string | undefined;
  readonly bookmarks: readonly BookmarkView[];
}

/** What a page asks about projects, and how the engine tells it what was opened. */
export interface DemoProjects {
  readonly engine: ProjectEngine;
  readonly openedAs: (opened: Opened, source: Source) => void;
}

const FIRST_MS = Date.UTC(2026, 10, 30, 9);

/** Projects that last as long as the page. A path with `missing` or `changed` in it is that. */
export function demoProjects(): DemoProjects {
  const kept = new Map<number, Kept>();
  const sources = new Map<number, { readonly opened: Opened; readonly path: string }>();
  let last = 0;
  const given = (project: number): Kept => {
    const found = kept.get(project);
    if (found === undefined) throw new Refusal('closed', 'This project is no longer in the list.');
    return found;
  };
  const change = (project: number, change: Partial<Kept>): Promise<void> => {
    kept.set(project, { ...given(project), ...change });
    return Promise.resolve();
  };
  const withView = (project: number, view: Partial<ProjectView>): Promise<void> =>
    change(project, { view: { ...given(project).view, ...view } });
  const engine: ProjectEngine = {
    list: () => {
      const projects = [...kept.values()].map(({ view, bookmarks }) => ({
        ...view,
        bookmarks: bookmarks.length,
      }));
      projects.sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.opened_ms - a.opened_ms);
      return Promise.resolve({ projects, trouble: undefined });
    },
    file: (project) => Promise.resolve(stateOf(given(project).view.path)),
    compare: (_, path) => Promise.resolve(stateOf(path)),
    relocate: (project, path) => withView(project, placeOf(path)),
    pin: (project) => withView(project, { pinned: true }),
    unpin: (project) => withView(project, { pinned: false }),
    remove: (project) => {
      kept.delete(project);
      return Promise.resolve();
    },
    opened: (session) => {
      const source = sources.get(session);
      if (source === undefined) return Promise.resolve(undefined);
      const { opened, path } = source;
      const known = [...kept.values()].find(({ view }) => view.path === path);
      last += 1;
      const id = known?.view.id ?? last;
      const before = { bookmarks: known?.bookmarks ?? [], state: known?.state };
      const pinned = known?.view.pinned === true;
      kept.set(id, { ...before, view: { ...viewOf(id, path, opened), pinned } });
      return Promise.resolve({ id, left: known ? ('same' as const) : ('new' as const), ...before });
    },
    save: (_, project, state) => change(project, { state }),
    ...bookmarksIn(kept, given),
  };
  return {
    engine,
    openedAs: (opened, source) => {
      if (source.kind === 'file') sources.set(opened.session, { opened, path: source.path });
    },
  };
}

type BookmarkPart = Pick<ProjectEngine, 'addBookmark' | 'changeNote' | 'removeBookmark'>;

function bookmarksIn(kept: Map<number, Kept>, given: (project: number) => Kept): BookmarkPart {
  let last = 0;
  const change = (project: number, bookmarks: readonly BookmarkView[]): Promise<void> => {
    kept.set(project, { ...given(project), bookmarks });
    return Promise.resolve();
  };
  const homeOf = (bookmark: number): number =>
    [...kept].find(([, { bookmarks }]) => bookmarks.some(({ id }) => id === bookmark))?.[0] ?? 0;
  return {
    addBookmark: async (project, place, note) => {
      last += 1;
      const added = { id: last, place, note, created_ms: FIRST_MS, is_current: true };
      await change(project, [...given(project).bookmarks, added]);
      return added.id;
    },
    changeNote: (bookmark, note) => {
      const project = homeOf(bookmark);
      const { bookmarks } = given(project);
      const next = bookmarks.map((one) => (one.id === bookmark ? { ...one, note } : one));
      return change(project, next);
    },
    removeBookmark: (bookmark) => {
      const project = homeOf(bookmark);
      const { bookmarks } = given(project);
      return change(
        project,
        bookmarks.filter(({ id }) => id !== bookmark),
      );
    },
  };
}

function stateOf(path: string): ProjectFile {
  if (path.includes('missing')) return 'missing';
  return path.includes('changed') ? 'changed' : 'same';
}

function placeOf(path: string): Pick<ProjectView, 'path' | 'name' | 'folder'> {
  const cut = path.lastIndexOf('/');
  return { path, name: path.slice(cut + 1), folder: path.slice(0, Math.max(cut, 1)) };
}

function viewOf(id: number, path: string, { summary, session }: Opened): ProjectView {
  const busiest = summary.devices[summary.busiest];
  return {
    id,
    ...placeOf(path),
    kind: summary.dump === undefined ? summary.family : 'msmemscope',
    bytes: summary.bytes,
    devices: summary.devices.length,
    peak: busiest?.peak.allocated.bytes ?? 0,
    curve: Array.from({ length: 120 }, (_, at) => Math.round(255 * Math.sin((at / 119) * Math.PI))),
    opened_ms: FIRST_MS + session * 60_000,
    pinned: false,
    bookmarks: 0,
  };
}
