import { Latest } from '../base/latest';
import { Store } from '../base/store';
import type { TableEngine, TablePage } from '../wire/tables';
import { filtersOf, isEmpty, NO_SEARCH, type Search } from './event-search';
import { EventTable, eventsOf, type Whose } from './events';

/** Events looked at in one question for hits, beside those in view. */
const BESIDE = 150;
const MOST = 500;

/** How far the search has come. */
export type Hits =
  | { readonly kind: 'none' }
  | { readonly kind: 'searching'; readonly before: number | undefined }
  | { readonly kind: 'found'; readonly view: number; readonly count: number };

/** The hits among a stretch of events, without the last. */
interface Marked {
  readonly view: number;
  readonly from: number;
  readonly to: number;
  readonly events: ReadonlySet<number>;
}

/** Where an event stands among the hits: its place, or that of the next. */
export interface HitPlace {
  readonly event: number;
  readonly place: number;
  readonly isHit: boolean;
}

interface Stretch {
  readonly view: number;
  readonly from: number;
  readonly count: number;
}

/** The events that a search finds: which they are, and the way from one to the next. */
export class EventHits {
  readonly search = new Store<Search>(NO_SEARCH);
  readonly hits = new Store<Hits>({ kind: 'none' });
  /** Hits among the events that are looked at. */
  readonly marked = new Store<ReadonlySet<number>>(new Set());
  /** Where the event is that was asked for last. */
  readonly place = new Store<HitPlace | undefined>(undefined);
  /** The hits alone. */
  readonly table: EventTable;
  readonly #engine: TableEngine;
  readonly #whose: Whose;
  readonly #marks: Latest<Stretch, TablePage>;
  readonly #places: Latest<Stretch, TablePage>;
  #known: Marked | undefined;
  #looked = { from: 0, to: 0 };
  #current = -1;
  /** The search under way. */
  #opening: Promise<void> = Promise.resolve();

  constructor(engine: TableEngine, slot: number, whose: Whose, failed: (error: unknown) => void) {
    this.#engine = engine;
    this.#whose = whose;
    this.table = new EventTable(engine, slot, failed);
    const since = ({ view, from, count }: Stretch): Promise<TablePage> =>
      this.#rows(view, { since: from, count });
    this.#marks = new Latest(since, (page, stretch) => this.#marksCame(page, stretch), failed);
    this.#places = new Latest(since, (page, stretch) => this.#placeCame(page, stretch), failed);
  }

  /** Searches for something else. */
  put(search: Search): void {
    this.search.set(search);
    this.#opening = this.#open(search);
  }

  /** Marks the hits among these events. */
  look(from: number, to: number): void {
    this.#looked = { from, to };
    const hits = this.hits.get();
    if (hits.kind !== 'found') return;
    const known = this.#known;
    if (known?.view === hits.view && known.from <= from && known.to >= to) return;
    const begin = Math.max(0, from - BESIDE);
    if (known?.view === hits.view && known.from === begin) return;
    const count = Math.min(MOST, to + BESIDE - begin);
    this.#marks.put({ view: hits.view, from: begin, count });
  }

  /** Finds out where `event` stands among the hits. */
  locate(event: number): void {
    this.#current = event;
    const hits = this.hits.get();
    if (hits.kind !== 'found') return;
    this.#places.put({ view: hits.view, from: Math.max(0, event), count: 1 });
  }

  /** The next hit after `event`, or the one before; after the last comes the first. */
  async step(event: number, way: 'next' | 'previous'): Promise<number | undefined> {
    await this.#opening;
    const hits = this.hits.get();
    if (hits.kind !== 'found' || hits.count === 0) return undefined;
    const { view, count } = hits;
    const since = way === 'next' ? event + 1 : event;
    const page = await this.#rows(view, { since: Math.max(0, since), count: 1 });
    const [after] = page.rows;
    if (way === 'next' && after !== undefined) return after.row;
    const place = way === 'next' ? 0 : (page.offset + count - 1) % count;
    return (await this.#rows(view, { offset: place, count: 1 })).rows[0]?.row;
  }

  stop(): void {
    this.#marks.drop();
    this.#places.drop();
    this.table.stop();
  }

  async #open(search: Search): Promise<void> {
    if (isEmpty(search)) {
      this.table.stop();
      this.#found({ kind: 'none' });
      return;
    }
    const before = this.hits.get();
    const count = before.kind === 'found' ? before.count : undefined;
    this.hits.set({
      kind: 'searching',
      before: before.kind === 'searching' ? before.before : count,
    });
    const opened = await this.table.open(eventsOf(this.#whose, filtersOf(search)));
    if (opened === undefined) {
      // It failed, unless something else is searched for by now.
      if (this.search.get() === search) this.#found({ kind: 'none' });
      return;
    }
    this.#found({ kind: 'found', view: opened.view, count: opened.statistics.count });
  }

  #found(hits: Hits): void {
    this.#known = undefined;
    this.#marks.drop();
    this.#places.drop();
    this.hits.set(hits);
    if (hits.kind !== 'found' || hits.count === 0) {
      this.marked.set(new Set());
      this.place.set(undefined);
      return;
    }
    this.look(this.#looked.from, this.#looked.to);
    this.locate(this.#current);
  }

  #rows(
    view: number,
    { since, offset = 0, count }: { since?: number; offset?: number; count: number },
  ): Promise<TablePage> {
    return this.#engine.rows(view, { offset, since, count, columns: [], cursor: -1 });
  }

  #marksCame({ rows }: TablePage, { view, from, count }: Stretch): void {
    const hits = this.hits.get();
    if (hits.kind !== 'found' || hits.view !== view) return;
    // No more hits than events were asked for, so none among these is missing.
    const events = new Set(rows.map(({ row }) => row));
    this.#known = { view, from, to: from + count, events };
    this.marked.set(events);
    this.look(this.#looked.from, this.#looked.to);
  }

  #placeCame({ rows, offset }: TablePage, { view, from }: Stretch): void {
    const hits = this.hits.get();
    if (hits.kind !== 'found' || hits.view !== view) return;
    this.place.set({ event: from, place: offset, isHit: rows[0]?.row === from });
  }
}
