import type { Left } from '../../base/left';
import { loaded, type Load } from '../../base/load';
import { Store } from '../../base/store';
import { extent, selectedBlock, stateAt, type Shared } from '../../state/shared';
import type { Intent } from '../../state/update';
import { wireError } from '../../wire/error';
import type { DumpSummary } from '../../wire/decompose';
import type { WireError } from '../../wire/known';
import type {
  TableBounds,
  TableColumn,
  TableEngine,
  TableKind,
  TableOpened,
  TableOrder,
  TableQuestion,
  TableRow,
  TableTest,
  Thresholds,
} from '../../wire/tables';
import { columnsOf, isOfBlocks, shownBy, type ColumnSpec } from './columns';
import { isOn } from './inefficient';
import { leftOf, readLeft } from './left';
import { rememberedHabit, rememberHabit, type Habit } from './memory';
import { Pages } from './pages';

/** Which rows by time: all, those of the period, or what the period leaves behind. */
export type Scope = 'all' | 'period' | 'kept';

/** What a person chose of a table. */
export interface Choice extends Habit {
  readonly filters: ReadonlyMap<TableColumn, TableTest>;
  readonly scope: Scope;
  /** What counts as inefficient; nothing until somebody says. */
  readonly thresholds: Thresholds | undefined;
}

/** A stretch of events, both included. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Where the table is in the recording. */
export interface Moment {
  readonly device: number;
  /** The event right after which states are looked at. */
  readonly cursor: number;
  readonly period: Stretch | undefined;
  /** The first event's time, microseconds since the epoch. */
  readonly firstUs: number | undefined;
}

/** What the table needs of those around it. */
export interface Around {
  readonly engine: TableEngine;
  readonly session: number;
  readonly send: (intent: Intent) => void;
  readonly fail: (error: unknown) => void;
  /** How the tables of the recording were left. */
  readonly left: Left;
}

/** Slots in the program: one a kind. */
const SLOTS: Readonly<Record<TableKind, number>> = {
  blocks: 1,
  events: 2,
  dump_blocks: 1,
  dump_events: 2,
};
/** Rows that come with a table that is opened. */
const FIRST = 100;

/** One table: what is asked of it, and the rows that came. */
export class TableModel {
  readonly kind: TableKind;
  /** The columns that the recording has. */
  readonly columns: readonly ColumnSpec[];
  readonly choice: Store<Choice>;
  readonly moment: Store<Moment>;
  readonly answer = new Store<Load<TableOpened, WireError>>({ phase: 'empty' });
  readonly bounds = new Store<ReadonlyMap<TableColumn, TableBounds>>(new Map());
  /** A place to bring into view. */
  readonly goal = new Store<{ readonly place: number } | undefined>(undefined);
  /** The place that the keys start from. */
  readonly active = new Store<number | undefined>(undefined);
  readonly pages: Pages;
  readonly #around: Around;
  #isShown = false;
  #asked: { readonly key: string; readonly cursor: number } | undefined;
  #generation = 0;
  /** The row selected last, by whomever. */
  #selected: number | undefined;
  #own: number | undefined;
  /** A place whose row is selected once it is read. */
  #awaited: number | undefined;

  constructor(kind: TableKind, shared: Shared, around: Around, dump: DumpSummary | undefined) {
    this.kind = kind;
    this.columns = columnsOf(kind).filter(({ id }) => isInFile(id, dump));
    this.#around = around;
    this.pages = new Pages(around.engine, (error) => {
      this.#refused(error);
    });
    this.choice = new Store<Choice>({
      ...withColumns(rememberedHabit(kind), this.columns),
      filters: new Map(),
      scope: 'all',
      thresholds: undefined,
      ...readLeft(around.left.get(leftName(kind)), this.columns, shared.device),
    });
    this.moment = new Store<Moment>(momentOf(shared, undefined));
    this.pages.arrived.subscribe(() => {
      if (this.#awaited !== undefined && this.pages.at(this.#awaited)) this.pick(this.#awaited);
    });
  }

  /** Whether the table is on the screen: one that is not asks nothing. */
  show(isShown: boolean): void {
    this.#isShown = isShown;
    if (isShown) this.#ask();
  }

  /** Goes where the views are. */
  readonly follow = (shared: Shared): void => {
    const before = this.moment.get();
    const isElsewhere = before.device !== shared.device;
    const moment = momentOf(shared, isElsewhere ? undefined : before.period);
    if (!isSame(before, moment)) this.moment.set(moment);
    if (isElsewhere) this.#change({ filters: new Map(), scope: 'all' });
    this.#ask();
    const row = selectedRow(this.kind, shared);
    const isNew = row !== this.#selected;
    this.#selected = row;
    if (isNew && row !== undefined && row !== this.#own) void this.#reveal(row);
    if (isNew && row === undefined) this.active.set(undefined);
    this.#own = undefined;
  };

  readonly change = (change: Partial<Choice>): void => {
    this.#change(change);
    rememberHabit(this.kind, this.choice.get());
    this.#ask();
  };

  /** Sorts by `column`, then the other way round, then not; beside others when `isMore`. */
  sort(column: TableColumn, way: 'alone' | 'more'): void {
    const { order } = this.choice.get();
    const before = order.find((one) => one.column === column);
    const next: readonly TableOrder[] =
      before === undefined
        ? [{ column, direction: firstDirection(this.kind, column) }]
        : before.direction === firstDirection(this.kind, column)
          ? [{ column, direction: before.direction === 'ascending' ? 'descending' : 'ascending' }]
          : [];
    if (way === 'alone') {
      this.change({ order: next });
      return;
    }
    const at = before === undefined ? order.length : order.indexOf(before);
    this.change({ order: [...order.slice(0, at), ...next, ...order.slice(at + 1)] });
  }

  /** Makes a column as wide as that. */
  resize(column: TableColumn, width: number): void {
    this.change({ widths: new Map(this.choice.get().widths).set(column, width) });
  }

  filter(column: TableColumn, test: TableTest | undefined): void {
    const filters = new Map(this.choice.get().filters);
    if (test === undefined) filters.delete(column);
    else filters.set(column, test);
    this.change({ filters });
  }

  /** Selects the row at `place`, as soon as it is read. */
  pick(place: number): void {
    this.active.set(place);
    const row = this.pages.at(place);
    this.#awaited = row === undefined ? place : undefined;
    if (row !== undefined) this.#select(row);
  }

  /** Reads the rows between two places, if they are not there. */
  want(from: number, to: number): void {
    this.pages.want(from, to);
  }

  /** Selects what a cell names. */
  visit(column: ColumnSpec, row: TableRow, cell: number): void {
    const selection =
      column.kind === 'block' && row.block !== undefined
        ? ({ kind: 'block', block: row.block } as const)
        : ({ kind: 'event', event: cell } as const);
    this.#around.send({ kind: 'select', selection, wanted: 'reveal' });
  }

  /** Selects the stack of a row, where it has one. */
  selectStack({ stack }: TableRow): void {
    if (stack === undefined) return;
    this.#around.send({ kind: 'select', selection: { kind: 'stack', stack }, wanted: 'nothing' });
  }

  question(): TableQuestion {
    const { device, cursor, period } = this.moment.get();
    const { order, filters, scope, thresholds } = this.choice.get();
    const within = scope === 'kept' ? 'not_freed' : 'overlapping';
    return {
      session: this.#around.session,
      device,
      kind: this.kind,
      order,
      filters: [...filters].map(([column, test]) => ({ column, test })),
      period:
        scope === 'all' || period === undefined
          ? undefined
          : { ...period, within, span_ns: undefined },
      cursor,
      thresholds: this.kind === 'dump_blocks' ? thresholds : undefined,
    };
  }

  /** Asks again after a failure. */
  retry(): void {
    this.#asked = undefined;
    this.#ask();
  }

  stop(): void {
    this.#generation += 1;
    this.#isShown = false;
    this.pages.close();
  }

  #change(change: Partial<Choice>): void {
    const choice = { ...this.choice.get(), ...change };
    this.choice.set(choice);
    this.#around.left.put(leftName(this.kind), leftOf(choice, this.moment.get().device));
  }

  #ask(): void {
    if (!this.#isShown) return;
    const question = this.question();
    const key = JSON.stringify({ ...question, cursor: 0 });
    const { cursor } = question;
    const { columns, thresholds } = this.choice.get();
    const shown = columns.map(shownBy);
    // The tags in the first column are of it.
    const isTagged = isOn(thresholds) && !shown.includes('inefficient');
    const wanted = isTagged ? [...shown, 'inefficient' as const] : shown;
    const isMoved = this.#asked?.cursor !== cursor;
    const isOfState = question.order.some(isState) || question.filters.some(isState);
    this.pages.look(wanted, isOfBlocks(this.kind) && wanted.includes('state') ? cursor : 0);
    if (this.#asked?.key === key && !(isMoved && isOfState)) {
      this.#asked = { key, cursor };
      return;
    }
    const isSameRows = this.#asked?.key === key;
    this.#asked = { key, cursor };
    void this.#open(question, isSameRows);
  }

  async #open(question: TableQuestion, isSameRows: boolean): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    const stale = loaded(this.answer.get());
    this.answer.set({ phase: 'loading', stale });
    const { engine } = this.#around;
    const first = { ...this.pages.looking(), offset: 0, count: FIRST };
    try {
      const opened = await engine.open(SLOTS[this.kind], question, first);
      if (generation !== this.#generation) return;
      this.pages.open(opened, first);
      this.answer.set({ phase: 'ready', value: opened });
      if (!isSameRows) this.goal.set({ place: 0 });
      if (this.#selected !== undefined) void this.#reveal(this.#selected, isSameRows);
      await this.#readBounds(opened.view, generation);
    } catch (error) {
      if (generation === this.#generation) this.#refused(error);
    }
  }

  async #readBounds(view: number, generation: number): Promise<void> {
    const ranged = this.choice.get().columns.filter(({ filter }) => isRanged(filter));
    const bounds = await this.#around.engine.bounds(
      view,
      ranged.map(({ id }) => id),
    );
    if (generation !== this.#generation) return;
    this.bounds.set(new Map(bounds.map((bound) => [bound.column, bound])));
  }

  /** Finds the place of a row that was selected elsewhere; brings it into view. */
  async #reveal(row: number, isQuiet = false): Promise<void> {
    const opened = loaded(this.answer.get());
    if (opened === undefined || !this.#isShown) return;
    try {
      const place = await this.#around.engine.position(opened.view, row);
      if (row !== this.#selected || opened !== loaded(this.answer.get())) return;
      this.active.set(place);
      if (place !== undefined && !isQuiet) this.goal.set({ place });
    } catch (error) {
      if (opened === loaded(this.answer.get())) this.#refused(error);
    }
  }

  #select(row: TableRow): void {
    const own = selectableOf(this.kind, row);
    if (own === undefined ? row.block === undefined : own === this.#selected) return;
    this.#own = own;
    const selection =
      own === undefined || isOfBlocks(this.kind)
        ? ({ kind: 'block', block: own ?? row.block ?? 0 } as const)
        : ({ kind: 'event', event: own } as const);
    this.#around.send({ kind: 'select', selection, wanted: 'reveal' });
  }

  #refused(thrown: unknown): void {
    const error = wireError(thrown);
    if (error.code === 'cancelled' || error.code === 'closed') return;
    this.answer.set({ phase: 'failed', error });
  }
}

const leftName = (kind: TableKind): string => `table.${kind}`;

/** Whether the file has a column: those for stacks came late. */
function isInFile(id: TableColumn, dump: DumpSummary | undefined): boolean {
  if (id === 'python_stack') return dump?.has_python_stacks === true;
  return id !== 'c_stack' || dump?.has_c_stacks === true;
}

/** A habit without the columns that are not there. */
function withColumns(habit: Habit, there: readonly ColumnSpec[]): Habit {
  const columns = habit.columns.filter((column) => there.includes(column));
  const order = habit.order.filter(({ column }) => there.some(({ id }) => id === column));
  return { ...habit, columns: columns.length > 0 ? columns : there, order };
}

const isState = ({ column }: { readonly column: TableColumn }): boolean => column === 'state';

const isRanged = (filter: ColumnSpec['filter']): boolean =>
  filter === 'range' ||
  filter === 'bytes' ||
  filter === 'duration' ||
  filter === 'time' ||
  filter === 'moment' ||
  filter === 'nanos';

/** Bytes and lives: the large ones are looked for. */
function firstDirection(kind: TableKind, column: TableColumn): TableOrder['direction'] {
  const spec = columnsOf(kind).find(({ id }) => id === column);
  const isLarge = spec?.kind === 'bytes' || spec?.kind === 'duration' || spec?.kind === 'nanos';
  const isLargeFirst = isLarge || column === 'lifetime' || column === 'accesses';
  return isLargeFirst ? 'descending' : 'ascending';
}

function momentOf(shared: Shared, before: Stretch | undefined): Moment {
  const { selection, device } = shared;
  const period = selection.kind === 'period' ? { from: selection.from, to: selection.to } : before;
  return { device, cursor: stateAt(shared), period, firstUs: extent(shared).firstUs };
}

const isSame = (a: Moment, b: Moment): boolean =>
  a.device === b.device &&
  a.cursor === b.cursor &&
  a.period?.from === b.period?.from &&
  a.period?.to === b.period?.to;

/** The row of the table that is selected. */
export function selectedRow(kind: TableKind, shared: Shared): number | undefined {
  if (isOfBlocks(kind)) return selectedBlock(shared);
  return shared.selection.kind === 'event' ? shared.selection.event : undefined;
}

/** The block or the event of the device that a row is; a dump has rows that are none. */
export const selectableOf = (kind: TableKind, row: TableRow): number | undefined =>
  kind === 'dump_events' ? row.event : row.row;

/** How wide a column is. */
export const widthOf = ({ widths }: Choice, { id, width }: ColumnSpec): number =>
  widths.get(id) ?? width;
