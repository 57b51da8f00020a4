import { isSameSelection, type Selection, type Shared } from './shared';
import type { Engine } from '../wire/engine';
import type { Holder, HolderDetails } from '../wire/holders';
import type { BlockDetails, EventDetails, PeriodDetails, SegmentDetails } from '../wire/known';

/** A locator with what was found there. */
export type Found =
  | { readonly kind: 'block'; readonly block: BlockDetails }
  | { readonly kind: 'event'; readonly event: EventDetails }
  | {
      readonly kind: 'segment';
      readonly segment: SegmentDetails;
      readonly after: number;
      /** The address it was asked by. */
      readonly address: string;
    }
  | { readonly kind: 'owner'; readonly tag: string }
  | {
      readonly kind: 'stack' | 'frame';
      readonly holder: Holder;
      readonly details: HolderDetails;
    }
  | { readonly kind: 'period'; readonly period: PeriodDetails };

/** What was found, kept open beside what is selected next. */
export interface Kept {
  /** The device it is of. */
  readonly device: number;
  readonly found: Found;
}

/** A locator, and the device it is of. */
export interface Sought {
  readonly device: number;
  readonly selection: Selection;
}

/** Where something was found. */
export function locatorOf(found: Found): Selection {
  switch (found.kind) {
    case 'block':
      return { kind: 'block', block: found.block.block };
    case 'event':
      return { kind: 'event', event: found.event.event };
    case 'segment':
      return { kind: 'segment', address: found.address, after: found.after };
    case 'owner':
      return { kind: 'owner', tag: found.tag };
    case 'stack':
    case 'frame':
      return found.holder;
    case 'period':
      return { kind: 'period', from: found.period.from, to: found.period.to, time: undefined };
  }
}

export const soughtOf = ({ device, selection }: Shared): Sought => ({ device, selection });

export const isSameSought = (a: Sought | undefined, b: Sought): boolean =>
  a?.device === b.device && isSameSelection(a.selection, b.selection);

/** Reads what a locator leads to. */
export async function find(
  engine: Engine,
  session: number,
  { device, selection }: Sought,
): Promise<Found | undefined> {
  switch (selection.kind) {
    case 'none':
      return undefined;
    case 'block':
      return { kind: 'block', block: await engine.block(session, device, selection.block) };
    case 'event':
      return { kind: 'event', event: await engine.event(session, device, selection.event) };
    case 'segment': {
      const { after, address } = selection;
      const segment = await engine.segment(session, device, after, address);
      return { kind: 'segment', segment, after, address };
    }
    case 'owner':
      return { kind: 'owner', tag: selection.tag };
    case 'stack':
    case 'frame': {
      const details = await engine.holder({ session, device, holder: selection, after: -1 });
      return { kind: selection.kind, holder: selection, details };
    }
    case 'period': {
      const { from, to } = selection;
      return { kind: 'period', period: await engine.period(session, device, from, to) };
    }
  }
}
