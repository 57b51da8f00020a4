import { Store } from '../../base/store';
import type {
  RowsQuestion,
  TableColumn,
  TableEngine,
  TableOpened,
  TableRow,
} from '../../wire/tables';

/** Rows a page. */
const PAGE = 100;
/** Pages kept; those furthest away go first. */
const KEPT = 40;

interface Page {
  readonly rows: readonly TableRow[];
  readonly columns: readonly TableColumn[];
  /** What they show: one that shows something else stays until it is read again. */
  readonly stamp: string;
}

type Looking = Pick<RowsQuestion, 'columns' | 'cursor'>;

/** The rows of a table that have been read. */
export class Pages {
  /** Counts what came. */
  readonly arrived = new Store(0);
  readonly #engine: TableEngine;
  readonly #failed: (error: unknown) => void;
  #pages = new Map<number, Page>();
  #view: number | undefined;
  #count = 0;
  #looking: Looking = { columns: [], cursor: 0 };
  #wanted = { from: 0, to: 0 };
  #isReading = false;

  constructor(engine: TableEngine, failed: (error: unknown) => void) {
    this.#engine = engine;
    this.#failed = failed;
  }

  looking(): Looking {
    return this.#looking;
  }

  /** What is shown of a row from now on. */
  look(columns: readonly TableColumn[], cursor: number): void {
    const before = stampOf(this.#looking);
    this.#looking = { columns, cursor };
    if (before !== stampOf(this.#looking)) void this.#read();
  }

  /** Forgets the table before. */
  open({ view, page, statistics }: TableOpened, first: Looking): void {
    this.#view = view;
    this.#count = statistics.count;
    this.#pages = new Map([
      [0, { rows: page.rows, columns: first.columns, stamp: stampOf(first) }],
    ]);
    this.arrived.set(this.arrived.get() + 1);
  }

  close(): void {
    this.#view = undefined;
    this.#pages.clear();
  }

  /** The row at `place`, if it was read. */
  at(place: number): TableRow | undefined {
    return this.#pages.get(Math.floor(place / PAGE))?.rows[place % PAGE];
  }

  /** The cell of `column` in a row; nothing while other columns are shown. */
  cell(place: number, column: TableColumn): TableRow['cells'][number] {
    const page = this.#pages.get(Math.floor(place / PAGE));
    return page?.rows[place % PAGE]?.cells[page.columns.indexOf(column)];
  }

  want(from: number, to: number): void {
    this.#wanted = { from, to };
    void this.#read();
  }

  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      for (let page = this.#missing(); page !== undefined; page = this.#missing()) {
        await this.#readPage(page);
      }
    } finally {
      this.#isReading = false;
    }
  }

  async #readPage(page: number): Promise<void> {
    const view = this.#view;
    if (view === undefined) return;
    const looking = this.#looking;
    const stamp = stampOf(looking);
    try {
      const { rows } = await this.#engine.rows(view, {
        ...looking,
        offset: page * PAGE,
        count: PAGE,
      });
      if (view !== this.#view) return;
      this.#pages.set(page, { rows, columns: looking.columns, stamp });
      this.#forget(page);
      this.arrived.set(this.arrived.get() + 1);
    } catch (error) {
      if (view !== this.#view) return;
      this.#view = undefined;
      this.#failed(error);
    }
  }

  #missing(): number | undefined {
    if (this.#view === undefined) return undefined;
    const stamp = stampOf(this.#looking);
    const to = Math.min(this.#wanted.to, this.#count - 1);
    for (let page = Math.floor(this.#wanted.from / PAGE); page * PAGE <= to; page += 1) {
      if (this.#pages.get(page)?.stamp !== stamp) return page;
    }
    return undefined;
  }

  #forget(near: number): void {
    if (this.#pages.size <= KEPT) return;
    const far = [...this.#pages.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near));
    for (const page of far.slice(0, this.#pages.size - KEPT)) this.#pages.delete(page);
  }
}

const stampOf = ({ columns, cursor }: Looking): string => `${cursor.toString()}:${columns.join()}`;
