import { clamp, length, sameSpan, type Span } from '../../base/span';
import { Store } from '../../base/store';
import {
  bounds,
  cursorAt,
  isSameSelection,
  NO_SELECTION,
  periodAt,
  shown,
  type Extent,
  type Selection,
  type Shared,
} from '../../state/shared';
import type { Intent } from '../../state/update';
import type { AlignedStep } from '../../wire/compare';
import type { Session } from '../session';
import { alignmentOf, around, type Alignment, type LinkMode, type Way } from './alignment';

/** One of the two. */
export type Side = 0 | 1;

export const other = (side: Side): Side => (side === 0 ? 1 : 0);

/** What became known, and is not asked for by anybody. */
const NEWS: ReadonlySet<Intent['kind']> = new Set<Intent['kind']>([
  'life',
  'held',
  'timed',
  'period-timed',
  'landed',
  'reach',
]);

/** Takes what a person does on one side to the other one. */
export class Linking {
  readonly mode: Store<LinkMode>;
  /** The side that was used last. */
  readonly leader: Store<Side>;
  readonly #sessions: readonly [Session, Session];
  /** How far the recordings themselves reach, by device. */
  readonly #own: readonly [readonly Extent[], readonly Extent[]];
  readonly #selected: (side: Side, selection: Selection) => void;
  readonly #ends: readonly (() => void)[];
  #steps: readonly AlignedStep[] = [];
  #alignment: Alignment | undefined;
  #isSameHeight = true;
  #isEchoing = false;

  /** `selected` is told of what is selected on a side; a period goes along by the axis. */
  constructor(
    sessions: readonly [Session, Session],
    mode: LinkMode,
    selected: (side: Side, selection: Selection) => void,
    leader: Side = 0,
  ) {
    this.#sessions = sessions;
    this.mode = new Store(mode);
    this.leader = new Store(leader);
    this.#selected = selected;
    this.#own = [sessions[0].shared.get().extents, sessions[1].shared.get().extents];
    this.#ends = [this.#follow(0), this.#follow(1), this.#point(0), this.#point(1)];
    this.#realign();
  }

  stop(): void {
    for (const end of this.#ends) end();
  }

  /** Links by something else; what is shown on the leading side stays. */
  choose(mode: LinkMode): void {
    this.mode.set(mode);
    this.#realign();
  }

  /** The steps that both have became known. */
  know(steps: readonly AlignedStep[]): void {
    this.#steps = steps;
    if (this.mode.get() === 'step') this.#realign();
  }

  /** Whether a height that is chosen on one side is taken on the other. */
  shareHeight(isSame: boolean): void {
    this.#isSameHeight = isSame;
    if (!isSame) return;
    const { height } = this.#shared(this.leader.get());
    this.#echo(other(this.leader.get()), [{ kind: 'height', height }]);
  }

  /** A side is being used. */
  lead(side: Side): void {
    this.leader.set(side);
  }

  /** The place on the axis of the other side that belongs to one of `side`. */
  there(side: Side, place: number): number | undefined {
    return this.#alignment?.to(wayFrom(side), place);
  }

  #shared(side: Side): Shared {
    return this.#sessions[side].shared.get();
  }

  /** Brings axes and bounds in line, then shows on the follower what the leader shows. */
  #realign(): void {
    const mode = this.mode.get();
    const leader = this.leader.get();
    if (mode === 'event' || mode === 'time') {
      for (const side of [0, 1] as const) this.#echo(side, [{ kind: 'axis', axis: mode }]);
    } else if (mode === 'step') {
      this.#echo(other(leader), [{ kind: 'axis', axis: this.#shared(leader).axis }]);
    }
    this.#alignment = alignmentOf(mode, this.#shared(leader).axis, this.#steps);
    this.#reach();
    this.#showThere(leader);
    this.#cursorThere(leader);
  }

  /** Lets each side's axis reach as far as the other recording does. */
  #reach(): void {
    for (const side of [0, 1] as const) {
      const { device } = this.#shared(side);
      const own = this.#own[side][device];
      if (own === undefined) continue;
      this.#echo(side, [
        { kind: 'reach', device, event: own.event, time: own.time, ...this.#reached(side, own) },
      ]);
    }
  }

  /** The axis shown, as far as the linked recordings reach together. */
  #reached(side: Side, own: Extent): { readonly event?: Span; readonly time?: Span } {
    const alignment = this.#alignment;
    const { axis } = this.#shared(side);
    const there = other(side);
    const theirs = this.#own[there][this.#shared(there).device]?.[axis];
    const mine = own[axis];
    if (alignment === undefined || theirs === undefined || mine === undefined) return {};
    return { [axis]: around(mine, alignment.span(wayFrom(there), theirs)) };
  }

  #follow(side: Side): () => void {
    return this.#sessions[side].onIntent((intent, before) => {
      if (this.#isEchoing) return;
      if (NEWS.has(intent.kind)) {
        // What the follower learns about what it was shown moves nobody else.
        if (this.leader.get() !== side) return;
      } else {
        this.leader.set(side);
      }
      this.#sync(side, intent, before);
    });
  }

  #sync(side: Side, intent: Intent, before: Shared): void {
    const now = this.#shared(side);
    if (intent.kind === 'device' && before.device !== now.device) {
      this.#realign();
      return;
    }
    this.#shareLooks(side, before, now);
    if (before.axis !== now.axis) {
      this.#realign();
      return;
    }
    if (before.x !== now.x) this.#showThere(side);
    if (this.#isSameHeight && before.height !== now.height) {
      this.#echo(other(side), [{ kind: 'height', height: now.height }]);
    }
    if (!isSameSelection(before.selection, now.selection)) this.#selected(side, now.selection);
    const isMoved = before.cursor !== now.cursor || before.carried !== now.carried;
    if (isMoved) this.#cursorThere(side);
    if (before.selection !== now.selection || before.carried !== now.carried) {
      this.#periodThere(side);
    }
  }

  /** How things are shown is the same on both sides. */
  #shareLooks(side: Side, before: Shared, now: Shared): void {
    const intents: Intent[] = [];
    if (before.axis !== now.axis && this.mode.get() !== 'free') {
      intents.push({ kind: 'axis', axis: now.axis });
    }
    if (before.color !== now.color) intents.push({ kind: 'color', color: now.color });
    if (before.pool !== now.pool) intents.push({ kind: 'pool', layout: now.pool });
    if (before.side !== now.side) intents.push({ kind: 'side', side: now.side });
    if (before.fitReserved !== now.fitReserved) {
      intents.push({ kind: 'fit-reserved', fit: now.fitReserved });
    }
    if (intents.length > 0) this.#echo(other(side), intents);
  }

  #showThere(side: Side): void {
    if (this.#alignment === undefined) return;
    const there = this.#shared(other(side));
    const x = this.#alignment.span(wayFrom(side), shown(this.#shared(side)));
    const slack = length(x) * 1e-9;
    const now = shown(there);
    const isThere = Math.abs(now.from - x.from) <= slack && Math.abs(now.to - x.to) <= slack;
    if (!isThere) this.#echo(other(side), [{ kind: 'show', x }]);
  }

  #cursorThere(side: Side): void {
    if (this.#alignment === undefined) return;
    const from = this.#shared(side);
    const at = cursorAt(from);
    if (at === undefined) {
      if (from.cursor === undefined && from.carried === undefined) {
        this.#echo(other(side), [{ kind: 'cursor', event: undefined }]);
      }
      return;
    }
    this.#echo(other(side), [
      this.#cursorIntent(other(side), this.#alignment.to(wayFrom(side), at)),
    ]);
  }

  /** The cursor goes to a place of the axis, or to the end of the recording before it. */
  #cursorIntent(side: Side, place: number): Intent {
    const shared = this.#shared(side);
    const own = this.#ownBounds(side);
    if (shared.axis === 'time') {
      return { kind: 'moment', us: clamp(place, own.from, own.to - length(own) * 1e-9) };
    }
    const event = Math.floor(clamp(place, own.from, own.to - 1));
    return { kind: 'cursor', event: { event, time_us: undefined } };
  }

  #ownBounds(side: Side): Span {
    const { axis, device } = this.#shared(side);
    return this.#own[side][device]?.[axis] ?? bounds(this.#shared(side));
  }

  #periodThere(side: Side): void {
    const period = periodAt(this.#shared(side));
    if (this.#alignment === undefined || period === undefined) return;
    const there = other(side);
    const own = this.#ownBounds(there);
    const span = this.#alignment.span(wayFrom(side), period);
    const inside = { from: Math.max(span.from, own.from), to: Math.min(span.to, own.to) };
    if (inside.to <= inside.from) {
      this.select(there, NO_SELECTION);
    } else if (this.#shared(there).axis === 'time') {
      const before = periodAt(this.#shared(there));
      if (before !== undefined && sameSpan(before, inside)) return;
      this.#echo(there, [{ kind: 'carry', period: inside }]);
    } else {
      const from = Math.max(0, Math.ceil(inside.from - 1e-9));
      const to = Math.ceil(inside.to - 1e-9) - 1;
      if (to < from) this.select(there, NO_SELECTION);
      else this.select(there, { kind: 'period', from, to, time: undefined });
    }
  }

  /** The cursor of one side only goes right after an event, as far as there are any. */
  place(side: Side, event: number): void {
    const { device } = this.#shared(side);
    const last = (this.#own[side][device]?.events ?? 0) - 1;
    const cursor = { event: clamp(event, -1, last), time_us: undefined };
    this.#echo(side, [{ kind: 'cursor', event: cursor }]);
  }

  /** The cursor of one side only goes to a moment of the time axis. */
  placeAt(side: Side, us: number): void {
    const time = this.#own[side][this.#shared(side).device]?.time;
    if (time === undefined) return;
    const last = time.to - length(time) * 1e-9;
    this.#echo(side, [{ kind: 'moment', us: clamp(us, time.from, last) }]);
  }

  /** What is selected on a side comes into view; the other side goes along. */
  reveal(side: Side): void {
    this.leader.set(side);
    const { selection } = this.#shared(side);
    this.#sessions[side].send({ kind: 'select', selection, wanted: 'reveal' });
  }

  /** Selects an event of one side only, and brings it into view; the other side goes along. */
  visit(side: Side, event: number): void {
    this.#echo(side, [{ kind: 'visit', event: { event, time_us: undefined } }]);
    this.leader.set(side);
    this.#showThere(side);
  }

  /** Selects on one side only. */
  select(side: Side, selection: Selection): void {
    if (isSameSelection(this.#shared(side).selection, selection)) return;
    this.#echo(side, [{ kind: 'select', selection, wanted: 'nothing' }]);
  }

  #echo(side: Side, intents: readonly Intent[]): void {
    const before = this.#isEchoing;
    this.#isEchoing = true;
    try {
      for (const intent of intents) this.#sessions[side].send(intent);
    } finally {
      this.#isEchoing = before;
    }
  }

  /** Where the pointer is on one side is marked on the other one. */
  #point(side: Side): () => void {
    return this.#sessions[side].hover.subscribe((hover) => {
      const x = hover.kind === 'at' ? hover.reading?.x : undefined;
      const place = x === undefined ? undefined : this.there(side, x);
      this.#sessions[other(side)].pointer.set(place);
    });
  }
}

const wayFrom = (side: Side): Way => (side === 0 ? 'ab' : 'ba');
