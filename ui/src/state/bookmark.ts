import { fieldOf, parsed, textOf, wholeIn } from '../base/json';
import type { EventRef, Opened } from '../wire/known';
import type { Found } from './found';
import { readEvent, readSelection, rowsOf } from './located';
import { eventAt, extent, isSameSelection, type Selection, type Shared } from './shared';

/** A place in a recording that somebody wants to find again. */
export interface BookmarkPlace {
  readonly device: number;
  readonly selection: Selection;
  /** Where it is on the axis. */
  readonly mark: EventRef;
  /** What the views call it, where its locator alone does not tell: the number of a block. */
  readonly number: number | undefined;
  /** What the code of a stack or a frame is called. */
  readonly name: string | undefined;
}

/** A bookmark as the page shows it. */
export interface Bookmark {
  readonly id: number;
  readonly note: string;
  /** Nothing when it leads nowhere: it is of other content, or of a newer program. */
  readonly place: BookmarkPlace | undefined;
  /** Whether it is of the content the file has now. */
  readonly isCurrent: boolean;
}

/** What a bookmark made now is of: what is selected, or else the event at the cursor. */
export function placeToMark(shared: Shared, found: Found | undefined): BookmarkPlace | undefined {
  const { device, cursor } = shared;
  const event = eventAt(shared);
  if (extent(shared).events === 0 && shared.selection.kind === 'none') return undefined;
  const here: EventRef = { event, time_us: cursor?.time_us };
  const { selection } = shared;
  if (selection.kind === 'none') {
    if (event < 0) return undefined;
    const place = { kind: 'event', event } as const;
    return { device, selection: place, mark: here, number: undefined, name: undefined };
  }
  const isOfThis = found?.kind === selection.kind;
  const mark = (isOfThis ? markOf(found) : undefined) ?? here;
  const number = isOfThis && found.kind === 'block' ? found.block.number : undefined;
  const name = isOfThis ? codeOf(found) : undefined;
  return { device, selection, mark, number, name };
}

/** The function that a stack or a frame is known by. */
function codeOf(found: Found): string | undefined {
  if (found.kind !== 'stack' && found.kind !== 'frame') return undefined;
  const { frame, stack } = found.details;
  const known = frame ?? stack?.frames.find(({ kind }) => kind === 'user') ?? stack?.frames[0];
  return known?.name;
}

/** Where something begins. */
function markOf(found: Found): EventRef | undefined {
  switch (found.kind) {
    case 'block':
      return found.block.alloc;
    case 'event':
      return { event: found.event.event, time_us: found.event.time_us };
    case 'period':
    case 'segment':
    case 'owner':
    case 'stack':
    case 'frame':
      return undefined;
  }
}

/** The place of a bookmark that was kept; nothing when it leads nowhere in the recording. */
export function readPlace(text: string, opened: Opened): BookmarkPlace | undefined {
  const value = parsed(text);
  const device = wholeIn(fieldOf(value, 'device'), 0, opened.summary.devices.length - 1);
  if (device === undefined) return undefined;
  const rows = rowsOf(opened, device);
  const selection = readSelection(fieldOf(value, 'selection'), rows);
  const mark = readEvent(fieldOf(value, 'mark'), rows);
  if (selection === undefined || selection.kind === 'none' || mark === undefined) return undefined;
  const number = wholeIn(
    fieldOf(value, 'number'),
    -Number.MAX_SAFE_INTEGER,
    Number.MAX_SAFE_INTEGER,
  );
  return { device, selection, mark, number, name: textOf(fieldOf(value, 'name')) };
}

/** Whether a bookmark is of that already. */
export const isMarked = (
  bookmarks: readonly Bookmark[],
  place: BookmarkPlace | undefined,
): Bookmark | undefined =>
  place &&
  bookmarks.find(
    ({ place: other }) =>
      other?.device === place.device && isSameSelection(other.selection, place.selection),
  );
