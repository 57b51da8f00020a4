import { Latest } from '../base/latest';
import type { Load } from '../base/load';
import { Store, type Readable } from '../base/store';
import { NO_HOVER, NO_POOL_HOVER, type Hover, type PoolHover, type Reading } from '../state/hover';
import { extent, type Shared } from '../state/shared';
import { update, type Intent } from '../state/update';
import { MapLooks } from '../views/map/look';
import type { Engine } from '../wire/engine';
import { wireError } from '../wire/error';
import type { BlockDetails, EventRef, Opened, WireError } from '../wire/known';
import type { Looked } from './handover';
import { ExactReadings, type Completed } from './exact';
import { Landing } from './landing';
import { Project } from './project';
import { keepKept, keepLooks } from './session-left';
import { find, isSameSought, soughtOf, type Found, type Kept, type Sought } from '../state/found';

interface BlockQuestion {
  readonly device: number;
  readonly block: number;
}

interface EventsQuestion {
  readonly device: number;
  readonly events: readonly number[];
}

/** One open recording: its state, and what was read about it. */
export class Session {
  readonly opened: Opened;
  readonly shared: Store<Shared>;
  readonly hover = new Store<Hover>(NO_HOVER);
  /** Where the pointer is on the time axis while it is over the Python calls. */
  readonly pointer = new Store<number | undefined>(undefined);
  readonly poolHover = new Store<PoolHover>(NO_POOL_HOVER);
  readonly reading = new Store<Reading | undefined>(undefined);
  /** What is remembered of it between two starts. */
  readonly project: Project;
  /** What is selected. */
  readonly details = new Store<Load<Found, WireError>>({ phase: 'empty' });
  /** How the address map of each device is looked at. */
  readonly mapLooks = new MapLooks();
  /** What the person keeps open of what was selected. */
  readonly kept = new Store<readonly Kept[]>([]);
  /** The block under the pointer, once it is read. */
  readonly hovered = new Store<BlockDetails | undefined>(undefined);
  readonly #selected: Latest<Sought, Found | undefined>;
  readonly #pointed: Latest<BlockQuestion, BlockDetails>;
  readonly #times: Latest<EventsQuestion, readonly EventRef[]>;
  readonly #exact: ExactReadings;
  readonly #landing: Landing;
  readonly #ends: readonly (() => void)[];
  readonly #told = new Set<(intent: Intent, before: Shared) => void>();
  #sought: Sought | undefined;
  #found: { readonly sought: Sought; readonly found: Found } | undefined;
  #hoveredBlock: BlockQuestion | undefined;
  #timesAsked = '';

  /** `looked` is how it was looked at in another window, which goes before what is remembered. */
  constructor(
    engine: Engine,
    opened: Opened,
    project = Project.unkept(engine, opened),
    looked?: Looked,
  ) {
    this.opened = opened;
    this.project = project;
    this.shared = new Store(looked?.shared ?? project.restored());
    this.kept.set(looked?.kept ?? []);
    this.mapLooks.all.set(new Map(looked?.mapLooks));
    this.#exact = new ExactReadings(engine, this.shared);
    this.#landing = new Landing(engine, this.send);
    this.#selected = new Latest(
      (sought) => find(engine, opened.session, sought),
      (found, sought) => {
        this.#arrived(found, sought);
      },
      (error) => {
        this.details.set({ phase: 'failed', error: wireError(error) });
      },
    );
    this.#pointed = new Latest(
      ({ device, block }) => engine.block(opened.session, device, block),
      (details) => {
        this.hovered.set(details);
      },
      () => {
        this.hovered.set(undefined);
      },
    );
    this.#times = this.#timesOf(engine);
    this.#ends = [
      this.shared.subscribe((shared) => {
        this.#readSelected(shared);
        this.#readTimes(shared);
        this.#landing.look(shared);
        project.look(shared);
      }),
      keepKept({ engine, opened, left: project.left }, this.kept),
      keepLooks({ opened, left: project.left }, this.mapLooks),
      project.left.changes.subscribe(() => {
        project.look(this.shared.get());
      }),
      this.hover.subscribe((hover) => {
        this.#readHovered(hover);
        this.#exact.look(hover);
      }),
      this.poolHover.subscribe((hover) => {
        const isBlock = hover.kind === 'at' && hover.target.kind === 'block';
        this.point(isBlock ? hover.target.block : undefined);
      }),
    ];
  }

  /** Everything a person wants comes through here. */
  readonly send = (intent: Intent): void => {
    const before = this.shared.get();
    this.shared.set(update(before, intent));
    for (const told of [...this.#told]) told(intent, before);
  };

  /** Calls `told` after every intent, with the state before it; the answer ends that. */
  onIntent(told: (intent: Intent, before: Shared) => void): () => void {
    this.#told.add(told);
    return () => this.#told.delete(told);
  }

  /** The last reading that was completed where lines leave the picture. */
  get exact(): Readable<Completed | undefined> {
    return this.#exact.completed;
  }

  /** Reads about the block under the pointer; nothing forgets it. */
  readonly point = (block: number | undefined): void => {
    if (block === undefined) {
      this.#hoveredBlock = undefined;
      return;
    }
    const { device } = this.shared.get();
    if (this.#hoveredBlock?.device === device && this.#hoveredBlock.block === block) return;
    this.#hoveredBlock = { device, block };
    this.#pointed.put(this.#hoveredBlock);
  };

  stop(): void {
    this.project.flush();
    for (const end of this.#ends) end();
    this.#selected.drop();
    this.#pointed.drop();
    this.#times.drop();
    this.#exact.stop();
    this.#landing.stop();
  }

  #readSelected(shared: Shared): void {
    const sought = soughtOf(shared);
    if (isSameSought(this.#sought, sought)) {
      if (shared.wanted !== 'nothing') this.#tell();
      return;
    }
    this.#sought = sought;
    if (sought.selection.kind === 'none') {
      this.#found = undefined;
      this.#selected.drop();
      this.details.set({ phase: 'empty' });
      return;
    }
    const before = this.details.get();
    const stale =
      before.phase === 'ready'
        ? before.value
        : before.phase === 'loading'
          ? before.stale
          : undefined;
    this.details.set({ phase: 'loading', stale });
    this.#selected.put(sought);
  }

  #arrived(found: Found | undefined, sought: Sought): void {
    if (found === undefined || !isSameSought(this.#sought, sought)) return;
    this.#found = { sought, found };
    this.details.set({ phase: 'ready', value: found });
    this.#tell();
  }

  /** Lets the state know what is known about the selection. */
  #tell(): void {
    if (this.#found === undefined || !isSameSought(this.#sought, this.#found.sought)) return;
    const { found, sought } = this.#found;
    switch (found.kind) {
      case 'block':
        this.send({ kind: 'life', details: found.block });
        break;
      case 'event':
        this.send({ kind: 'timed', event: found.event });
        break;
      case 'segment':
        this.send({ kind: 'held', selection: sought.selection, details: found.segment });
        break;
      case 'stack':
      case 'frame':
      case 'owner':
      case 'period':
        break;
    }
  }

  #timesOf(engine: Engine): Latest<EventsQuestion, readonly EventRef[]> {
    const { session } = this.opened;
    return new Latest<EventsQuestion, readonly EventRef[]>(
      async ({ device, events }) => {
        const details = events.map((event) => engine.event(session, device, event));
        return (await Promise.all(details)).map(({ event, time_us }) => ({ event, time_us }));
      },
      ([first, last]) => {
        if (first !== undefined) this.send({ kind: 'timed', event: first });
        if (first === undefined || last === undefined) return;
        this.send({ kind: 'period-timed', from: first, to: last });
      },
      () => undefined,
    );
  }

  /** Asks for the times that the time axis needs. */
  #readTimes(shared: Shared): void {
    const { firstUs, track } = extent(shared);
    // A dump's times go along to another track, whatever the axis.
    if (firstUs === undefined || (shared.axis !== 'time' && track === undefined)) return;
    const { selection, cursor, device } = shared;
    const isPeriod = selection.kind === 'period' && selection.time === undefined;
    const isCursor = cursor !== undefined && cursor.event >= 0 && cursor.time_us === undefined;
    const events = isPeriod ? [selection.from, selection.to] : isCursor ? [cursor.event] : [];
    const asked = `${device.toString()}: ${events.join()}`;
    if (events.length === 0 || asked === this.#timesAsked) return;
    this.#timesAsked = asked;
    this.#times.put({ device, events });
  }

  #readHovered(hover: Hover): void {
    const isBand = hover.kind === 'at' && hover.target.kind === 'band';
    if (isBand || this.poolHover.get().kind === 'none') {
      this.point(isBand ? hover.target.block : undefined);
    }
  }
}
