import { fieldOf, finite, oneOf, textOf, wholeIn } from '../base/json';
import type { Span } from '../base/span';
import type { EventRef, Opened } from '../wire/known';
import type { Cursor, Selection } from './shared';

/** The rows a device and its recording have: what an id must be within to mean anything. */
export interface Rows {
  readonly blocks: number;
  readonly events: number;
  readonly stacks: number;
  readonly frames: number;
}

export const rowsOf = ({ summary }: Opened, device: number): Rows => ({
  blocks: summary.devices[device]?.blocks ?? 0,
  events: summary.devices[device]?.events ?? 0,
  // The first is that of what has no stack; it is not counted.
  stacks: summary.stacks + 1,
  frames: summary.frames,
});

const HEX = /^0x[0-9a-f]{1,16}$/i;

/** A locator that was kept; nothing when it leads nowhere in a device with those rows. */
export function readSelection(value: unknown, rows: Rows): Selection | undefined {
  const event = (name: string, least: number): number | undefined =>
    wholeIn(fieldOf(value, name), least, rows.events - 1);
  switch (fieldOf(value, 'kind')) {
    case 'none':
      return { kind: 'none' };
    case 'block': {
      const block = wholeIn(fieldOf(value, 'block'), 0, rows.blocks - 1);
      return block === undefined ? undefined : { kind: 'block', block };
    }
    case 'event': {
      const number = event('event', 0);
      return number === undefined ? undefined : { kind: 'event', event: number };
    }
    case 'segment': {
      const address = textOf(fieldOf(value, 'address'));
      const after = event('after', -1);
      const isThere = address !== undefined && HEX.test(address) && after !== undefined;
      return isThere ? { kind: 'segment', address, after } : undefined;
    }
    case 'owner': {
      const tag = textOf(fieldOf(value, 'tag'));
      return tag === undefined || tag === '' ? undefined : { kind: 'owner', tag };
    }
    case 'stack': {
      const stack = wholeIn(fieldOf(value, 'stack'), 0, rows.stacks - 1);
      return stack === undefined ? undefined : { kind: 'stack', stack };
    }
    case 'frame': {
      const frame = wholeIn(fieldOf(value, 'frame'), 0, rows.frames - 1);
      return frame === undefined ? undefined : { kind: 'frame', frame };
    }
    case 'period': {
      const [from, to] = [event('from', 0), event('to', 0)];
      if (from === undefined || to === undefined || from > to) return undefined;
      return { kind: 'period', from, to, time: readSpan(fieldOf(value, 'time')) };
    }
    default:
      return undefined;
  }
}

/** A stretch that was kept. */
export function readSpan(value: unknown): Span | undefined {
  const [from, to] = [finite(fieldOf(value, 'from')), finite(fieldOf(value, 'to'))];
  return from === undefined || to === undefined || from >= to ? undefined : { from, to };
}

/** An event that was kept, or −1 for what was before the first. */
export function readEvent(value: unknown, rows: Rows): EventRef | undefined {
  const event = wholeIn(fieldOf(value, 'event'), -1, rows.events - 1);
  return event === undefined ? undefined : { event, time_us: finite(fieldOf(value, 'time_us')) };
}

/** The cursor as it was kept. */
export function readCursor(value: unknown, rows: Rows): Cursor | undefined {
  const event = readEvent(value, rows);
  return event && { ...event, at: finite(fieldOf(value, 'at')) };
}

/** One of the words of a field. */
export const wordOf = <T extends string>(
  value: unknown,
  name: string,
  all: readonly T[],
  otherwise: T,
): T => oneOf(fieldOf(value, name), all) ?? otherwise;
