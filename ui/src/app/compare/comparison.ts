import { Latest } from '../../base/latest';
import { Left } from '../../base/left';
import { loaded, type Load } from '../../base/load';
import { rememberedJson, rememberJson } from '../../base/remember';
import { clamp } from '../../base/span';
import { Store } from '../../base/store';
import {
  eventAt,
  extent,
  isSameSelection,
  NO_SELECTION,
  stateAt,
  type Selection,
  type Shared,
} from '../../state/shared';
import type {
  AlignedStep,
  AlignedSteps,
  ComparedDevice,
  Counterpart,
  CounterpartOf,
  CounterpartQuestion,
  DiffBy,
  Difference,
  DiffQuestion,
  DiffSideQuestion,
} from '../../wire/compare';
import type { Engine } from '../../wire/engine';
import { wireError } from '../../wire/error';
import type { Axis, DeviceSummary, Opened, WireError } from '../../wire/known';
import { Project } from '../project';
import { Session } from '../session';
import type { LinkMode } from './alignment';
import {
  byLeft,
  keepComparison,
  lookedLeft,
  modeLeft,
  momentsLeft,
  orderLeft,
  sideLeft,
  stateLeft,
  type Looked,
} from './comparison-left';
import { Linking, other, type Side } from './linking';
import { ByteScale } from './scale';

/** The moment of one side that is compared. */
export type MomentChoice =
  | { readonly kind: 'peak' | 'end' | 'cursor' }
  /** The end of a step that both have, by its number. */
  | { readonly kind: 'step'; readonly step: string };

/** What in the other recording stands for what is selected. */
export interface Paired {
  /** The side of what is selected. */
  readonly side: Side;
  readonly selection: Selection;
  /** Empty of a period, which goes along by the axis. */
  readonly load: Load<Counterpart, WireError>;
}

/** The most rows that are read at first. */
const FEW_ROWS = 500;
/** The most rows that can be asked for. */
const MOST_ROWS = 20_000;
/** Tables of one recording on both sides are kept apart by this. */
const SLOTS = 100;

interface Sought {
  readonly side: Side;
  readonly selection: Selection;
  readonly question: CounterpartQuestion;
}

/** Two recordings beside each other. */
export class Comparison {
  readonly sessions: readonly [Session, Session];
  /** What the views of each side share. */
  readonly shared: readonly [Store<Shared>, Store<Shared>];
  readonly linking: Linking;
  readonly scale: ByteScale;
  readonly isSameScale: Store<boolean>;
  /** Which of the two is A, and which B. */
  readonly order: Store<readonly [Side, Side]>;
  readonly steps = new Store<Load<AlignedSteps, WireError>>({ phase: 'empty' });
  readonly counterpart = new Store<Paired | undefined>(undefined);
  readonly by: Store<DiffBy>;
  readonly moments: Store<readonly [MomentChoice, MomentChoice]>;
  /** The rows asked for. */
  readonly top = new Store(FEW_ROWS);
  readonly answer = new Store<Load<Difference, WireError>>({ phase: 'empty' });
  /** How it is looked at, for the next time. */
  readonly left: Left;
  readonly #engine: Engine;
  readonly #differences: Latest<DiffQuestion, Difference>;
  readonly #counterparts: Latest<Sought, Counterpart>;
  readonly #stepping: Latest<readonly [ComparedDevice, ComparedDevice], AlignedSteps>;
  readonly #ends: readonly (() => void)[];
  #asked = '';
  #devices = '';
  /** What is to be shown once it is known how places belong together. */
  #looked: Looked | undefined;

  /** `left` is how the two were looked at beside each other before. */
  constructor(engine: Engine, a: Opened, b: Opened, left = new Left()) {
    this.#engine = engine;
    this.left = left;
    const session = (opened: Opened, side: Side): Session =>
      new Session(engine, opened, Project.unkept(engine, opened, stateLeft(left, side)));
    this.sessions = [session(a, 0), session(b, 1)];
    this.shared = [this.sessions[0].shared, this.sessions[1].shared];
    const matches = matchesOf(devicesOf(this.sessions));
    this.by = new Store(byLeft(left, matches) ?? matches[0] ?? 'stack');
    this.moments = new Store(momentsLeft(left));
    this.order = new Store(orderLeft(left));
    this.isSameScale = new Store(rememberedJson('compare-scale') !== 'own');
    this.scale = new ByteScale(this.isSameScale.get());
    this.#differences = this.#differing();
    this.#counterparts = this.#matching();
    this.#stepping = this.#aligning();
    const leader = sideLeft(left, 'leader') ?? 0;
    const paired = sideLeft(left, 'paired');
    this.#looked = lookedLeft(left, leader, [this.shared[0].get(), this.shared[1].get()]);
    this.linking = this.#linked(leader);
    this.linking.shareHeight(this.isSameScale.get());
    this.#ends = [
      ...this.sessions.map(({ shared }) => shared.subscribe(this.#look)),
      this.by.subscribe(this.#look),
      this.moments.subscribe(this.#look),
      this.top.subscribe(this.#look),
      this.order.subscribe(this.#look),
      keepComparison(this, () => this.#looked === undefined),
    ];
    if (this.linking.mode.get() !== 'step') this.#showLooked();
    if (paired !== undefined) this.#seek(paired, this.shared[paired].get().selection);
  }

  /** The open recordings that are asked. */
  get opened(): readonly number[] {
    return this.sessions.map(({ opened }) => opened.session);
  }

  /** What it is called: its recordings, as A and B. */
  get name(): readonly [string, string] {
    const [a, b] = this.order.get();
    return [this.sessions[a].opened.summary.name, this.sessions[b].opened.summary.name];
  }

  /** The engine for the tables of one side, which have places of their own. */
  engineOf(side: Side): Engine {
    const { tables } = this.#engine;
    const apart = (slot: number): number => slot + SLOTS * (side + 1);
    return {
      ...this.#engine,
      tables: {
        ...tables,
        open: (slot, question, first) => tables.open(apart(slot), question, first),
      },
    };
  }

  stop(): void {
    for (const end of this.#ends) end();
    this.linking.stop();
    for (const session of this.sessions) session.stop();
    this.#differences.drop();
    this.#counterparts.drop();
    this.#stepping.drop();
  }

  /** What was B is A from now on; growth is told the other way round. */
  swap(): void {
    const [a, b] = this.order.get();
    const [one, two] = this.moments.get();
    this.moments.set([two, one]);
    this.order.set([b, a]);
  }

  shareScale(isSame: boolean): void {
    this.isSameScale.set(isSame);
    this.scale.share(isSame);
    this.linking.shareHeight(isSame);
    rememberJson('compare-scale', isSame ? 'same' : 'own');
  }

  choose(place: Side, moment: MomentChoice): void {
    const [a, b] = this.moments.get();
    this.moments.set(place === 0 ? [moment, b] : [a, moment]);
  }

  /** The cursors go to the end of a step that both have. */
  goTo({ a, b }: AlignedStep): void {
    this.linking.place(0, a.to_event - 1);
    this.linking.place(1, b.to_event - 1);
  }

  /** The cursors go to one place of an axis on both sides. */
  goToPlace(axis: Axis, place: number): void {
    for (const side of [0, 1] as const) {
      if (axis === 'event') this.linking.place(side, Math.floor(place));
      else this.linking.placeAt(side, place);
    }
  }

  /** Brings what stands for the selection into view; the side of the selection goes along. */
  showCounterpart(): void {
    const paired = this.counterpart.get();
    const found = paired && loaded(paired.load);
    if (paired === undefined || found === undefined) return;
    const there = other(paired.side);
    if (found.kind === 'event') this.linking.visit(there, found.event);
    else this.linking.reveal(there);
  }

  /** Reads all rows, as far as that is any use. */
  readAll(): void {
    this.top.set(MOST_ROWS);
  }

  /** Selects one thing on both sides, where each has it. */
  selectBoth(selections: readonly [Selection | undefined, Selection | undefined]): void {
    this.#counterparts.drop();
    this.counterpart.set(undefined);
    this.order.get().forEach((side, place) => {
      this.linking.select(side, selections[place] ?? NO_SELECTION);
    });
  }

  #linked(leader: Side): Linking {
    const possible = modesOf(devicesOf(this.sessions), 0);
    // Whether there are steps is asked for later.
    const mode = modeLeft(this.left, [...possible, 'step']) ?? possible[0] ?? 'event';
    const selected = (side: Side, selection: Selection): void => {
      this.#seek(side, selection);
    };
    return new Linking(this.sessions, mode, selected, leader);
  }

  /** Shows what was shown when the two were left: each axis reaches as far as it did by now. */
  #showLooked(): void {
    if (this.#looked === undefined) return;
    const { x, height } = this.#looked;
    this.#looked = undefined;
    const { send } = this.sessions[this.linking.leader.get()];
    if (x !== undefined) send({ kind: 'show', x });
    send({ kind: 'height', height });
  }

  readonly #look = (): void => {
    const devices = this.sessions.map(deviceOf);
    const [a, b] = devices;
    if (a === undefined || b === undefined) return;
    const key = JSON.stringify(devices);
    if (key !== this.#devices) {
      this.#devices = key;
      this.counterpart.set(undefined);
      this.steps.set({ phase: 'loading', stale: undefined });
      this.#stepping.put([a, b]);
      const matches = matchesOf(devicesOf(this.sessions));
      if (!matches.includes(this.by.get())) this.by.set(matches[0] ?? 'stack');
    }
    this.#ask();
  };

  #ask(): void {
    const [a, b] = this.order.get();
    const question: DiffQuestion = {
      a: this.#sideQuestion(a, this.moments.get()[0]),
      b: this.#sideQuestion(b, this.moments.get()[1]),
      by: this.by.get(),
      top: this.top.get(),
      unchanged: true,
      steps: false,
    };
    const asked = JSON.stringify(question);
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.answer.set({ phase: 'loading', stale: loaded(this.answer.get()) });
    this.#differences.put(question);
  }

  #sideQuestion(side: Side, moment: MomentChoice): DiffSideQuestion {
    const session = this.sessions[side];
    const shared = session.shared.get();
    return { ...deviceOf(session), at: this.#momentOf(side, shared, moment) };
  }

  #momentOf(side: Side, shared: Shared, moment: MomentChoice): DiffSideQuestion['at'] {
    switch (moment.kind) {
      case 'peak':
        return undefined;
      case 'end':
        return { kind: 'event', event: extent(shared).events - 1 };
      case 'cursor': {
        const us = shared.carried?.cursor ?? shared.cursor?.at;
        return us === undefined ? { kind: 'event', event: eventAt(shared) } : { kind: 'time', us };
      }
      case 'step': {
        const step = loaded(this.steps.get())?.steps.find(({ last }) => last === moment.step);
        const place = step && (side === 0 ? step.a : step.b);
        return place && { kind: 'event', event: place.to_event - 1 };
      }
    }
  }

  #differing(): Latest<DiffQuestion, Difference> {
    return new Latest(
      (question) => this.#engine.compare.difference(question),
      (value) => {
        this.answer.set({ phase: 'ready', value });
      },
      (error) => {
        this.answer.set({ phase: 'failed', error: wireError(error) });
      },
    );
  }

  #aligning(): Latest<readonly [ComparedDevice, ComparedDevice], AlignedSteps> {
    return new Latest(
      ([a, b]) => this.#engine.compare.alignedSteps({ a, b }),
      (value) => {
        this.steps.set({ phase: 'ready', value });
        this.linking.know(value.steps);
        this.#showLooked();
        this.#ask();
      },
      (error) => {
        this.steps.set({ phase: 'failed', error: wireError(error) });
        this.#showLooked();
      },
    );
  }

  #seek(side: Side, selection: Selection): void {
    const of = soughtIn(selection);
    const there = other(side);
    if (of === undefined) {
      this.#counterparts.drop();
      const isPeriod = selection.kind === 'period';
      if (!isPeriod) this.linking.select(there, NO_SELECTION);
      this.counterpart.set(isPeriod ? { side, selection, load: { phase: 'empty' } } : undefined);
      return;
    }
    const question: CounterpartQuestion = {
      a: deviceOf(this.sessions[side]),
      b: deviceOf(this.sessions[there]),
      by: this.by.get(),
      of,
    };
    this.counterpart.set({ side, selection, load: { phase: 'loading', stale: undefined } });
    this.#counterparts.put({ side, selection, question });
  }

  #matching(): Latest<Sought, Counterpart> {
    return new Latest(
      ({ question }) => this.#engine.compare.counterpart(question),
      (value, { side, selection }) => {
        const now = this.sessions[side].shared.get().selection;
        if (!isSameSelection(now, selection)) return;
        this.counterpart.set({ side, selection, load: { phase: 'ready', value } });
        const there = other(side);
        const at = stateAt(this.sessions[there].shared.get());
        this.linking.select(there, selectionOf(value, at) ?? NO_SELECTION);
      },
      (error, { side, selection }) => {
        const load = { phase: 'failed', error: wireError(error) } as const;
        this.counterpart.set({ side, selection, load });
      },
    );
  }
}

const deviceOf = ({ shared }: Session): ComparedDevice => {
  const { session, device } = shared.get();
  return { session, device };
};

const summaryOf = ({ opened, shared }: Session): DeviceSummary | undefined =>
  opened.summary.devices[shared.get().device];

const devicesOf = ([a, b]: readonly [Session, Session]): readonly (DeviceSummary | undefined)[] => [
  summaryOf(a),
  summaryOf(b),
];

/** What has a counterpart of its own; the rest has at most a place that belongs to it. */
function soughtIn(selection: Selection): CounterpartOf | undefined {
  switch (selection.kind) {
    case 'block':
      return { kind: 'block', block: selection.block };
    case 'owner':
      return { kind: 'owner', tag: selection.tag };
    case 'stack':
      return { kind: 'stack', stack: selection.stack };
    case 'frame':
      return { kind: 'frame', frame: selection.frame };
    case 'segment':
      return { kind: 'segment', address: selection.address, after: selection.after };
    case 'event':
      return { kind: 'event', event: selection.event };
    case 'none':
    case 'period':
      return undefined;
  }
}

/**
 * How a counterpart is selected while its side is right after event `at`. An event is not: to select
 * it is to be there, and the cursors are linked by their axes.
 */
export function selectionOf(found: Counterpart, at: number): Selection | undefined {
  switch (found.kind) {
    case 'block':
      return { kind: 'block', block: found.block };
    case 'owner':
      return { kind: 'owner', tag: found.tag };
    case 'stack':
      return { kind: 'stack', stack: found.stack };
    case 'frame':
      return { kind: 'frame', frame: found.frame };
    case 'segment': {
      const { address, from, to } = found;
      return { kind: 'segment', address, after: clamp(at, from, to) };
    }
    case 'event':
    case 'none':
      return undefined;
  }
}

/** By what two devices can be compared, the best first: owners where both record them. */
export function matchesOf([a, b]: readonly (DeviceSummary | undefined)[]): readonly DiffBy[] {
  const stacks: readonly DiffBy[] = ['stack', 'file_function', 'function'];
  const haveOwners = [a, b].every((device) => device?.track?.has_owners === true);
  return haveOwners ? ['owner', ...stacks] : stacks;
}

/** By what two devices can be linked, the best first. */
export function modesOf(
  [a, b]: readonly (DeviceSummary | undefined)[],
  steps: number,
): readonly LinkMode[] {
  const haveTimes = [a, b].every((device) => device?.time_range !== undefined);
  const areDumps = [a, b].some((device) => device?.track !== undefined);
  const byStep: readonly LinkMode[] = steps > 0 ? ['step'] : [];
  const byTime: readonly LinkMode[] = haveTimes ? ['time'] : [];
  const both: readonly LinkMode[] = areDumps ? [...byTime, 'event'] : ['event', ...byTime];
  return [...both, ...byStep, 'free'];
}
