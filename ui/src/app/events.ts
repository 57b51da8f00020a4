import { Store, type Readable } from '../base/store';
import { Pages } from '../views/table/pages';
import type {
  RowsQuestion,
  TableCell,
  TableColumn,
  TableEngine,
  TableFilter,
  TableOpened,
  TableQuestion,
} from '../wire/tables';

/** What the list shows of an event. */
export interface EventRow {
  readonly event: number;
  readonly action: string;
  readonly address: string | undefined;
  readonly size: number;
  readonly stream: string | undefined;
  /** Microseconds since the epoch. */
  readonly time: number | undefined;
}

const COLUMNS: readonly TableColumn[] = ['action', 'address', 'size', 'stream', 'time'];
/** Rows that are read beside those in view. */
const BESIDE = 120;
const FIRST: RowsQuestion = { offset: 0, count: 100, columns: COLUMNS, cursor: -1 };

/** The recording and the device whose events these are. */
export interface Whose {
  readonly session: number;
  readonly device: number;
}

/** The events of `whose` that pass `filters`, as the recording has them. */
export const eventsOf = (
  { session, device }: Whose,
  filters: readonly TableFilter[],
): TableQuestion => ({
  session,
  device,
  kind: 'events',
  order: [],
  filters,
  period: undefined,
  cursor: -1,
});

/** A list of events that is read by pages, in a place of its own in the program. */
export class EventTable {
  /** How many there are, once that is known. */
  readonly count = new Store<number | undefined>(undefined);
  readonly #engine: TableEngine;
  readonly #slot: number;
  readonly #pages: Pages;
  readonly #failed: (error: unknown) => void;
  #generation = 0;
  #wanted = { from: 0, to: 0 };

  constructor(engine: TableEngine, slot: number, failed: (error: unknown) => void) {
    this.#engine = engine;
    this.#slot = slot;
    this.#failed = failed;
    this.#pages = new Pages(engine, failed);
    this.#pages.look(COLUMNS, -1);
    this.#pages.arrived.subscribe(this.#lookAround);
  }

  /** Counts up whenever rows arrive. */
  get arrived(): Readable<number> {
    return this.#pages.arrived;
  }

  /** Reads another list; nothing when yet another was asked for meanwhile, or it failed. */
  async open(question: TableQuestion): Promise<TableOpened | undefined> {
    this.#generation += 1;
    const generation = this.#generation;
    try {
      const opened = await this.#engine.open(this.#slot, question, FIRST);
      if (generation !== this.#generation) return undefined;
      this.#pages.open(opened, FIRST);
      this.count.set(opened.statistics.count);
      this.want(this.#wanted.from, this.#wanted.to);
      return opened;
    } catch (error) {
      if (generation === this.#generation) this.#failed(error);
      return undefined;
    }
  }

  /** The event at a place, if it was read. */
  at(place: number): EventRow | undefined {
    const row = this.#pages.at(place);
    if (row === undefined) return undefined;
    const [action, address, size, stream, time] = row.cells;
    return {
      event: row.row,
      action: textOf(action) ?? '',
      address: textOf(address),
      size: numberOf(size) ?? 0,
      stream: textOf(stream),
      time: numberOf(time),
    };
  }

  /** Reads what lies between two places, without the last, and then around it. */
  want(from: number, to: number): void {
    this.#wanted = { from, to };
    this.#pages.want(from, to);
    this.#lookAround();
  }

  /** Reads on where a person may scroll to, once all is there that is looked at. */
  readonly #lookAround = (): void => {
    const { from, to } = this.#wanted;
    const last = Math.min(to, this.count.get() ?? 0) - 1;
    // A page is read as a whole, so its ends tell.
    const isThere = this.#pages.at(from) !== undefined && this.#pages.at(last) !== undefined;
    if (isThere) this.#pages.want(Math.max(0, from - BESIDE), to + BESIDE);
  };

  /** Forgets what was read. */
  stop(): void {
    this.#generation += 1;
    this.count.set(undefined);
    this.#pages.close();
  }
}

const textOf = (cell: TableCell): string | undefined =>
  typeof cell === 'string' ? cell : undefined;

const numberOf = (cell: TableCell): number | undefined =>
  typeof cell === 'number' ? cell : undefined;
