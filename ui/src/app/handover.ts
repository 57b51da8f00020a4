import type { Bookmark } from '../state/bookmark';
import type { Kept } from '../state/found';
import type { Shared } from '../state/shared';
import type { MapLook } from '../views/map/look';
import type { Source } from '../wire/engine';
import type { Session } from './session';

/** How a recording was looked at, for the window it goes to. */
export interface Looked {
  readonly source: Source;
  readonly shared: Shared;
  readonly kept: readonly Kept[];
  readonly mapLooks: readonly (readonly [number, MapLook])[];
  /** How its views were left. */
  readonly views: Readonly<Record<string, unknown>>;
  readonly bookmarks: readonly Bookmark[];
}

/** Writes down how a recording is looked at; only `unpacked` of the same program reads it. */
export function packed(source: Source, session: Session): string {
  const looked: Looked = {
    source,
    shared: session.shared.get(),
    kept: session.kept.get(),
    mapLooks: [...session.mapLooks.all.get()],
    views: session.project.left.all(),
    bookmarks: session.project.bookmarks.get(),
  };
  return JSON.stringify(looked);
}

/** Reads what `packed` wrote. */
// What is not there is `undefined` in one and left out in the other, which nothing tells apart.
// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- written by this program a moment ago
export const unpacked = (text: string): Looked => JSON.parse(text) as Looked;
