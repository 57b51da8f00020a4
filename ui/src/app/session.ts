import { Latest } from '../base/latest';
import type { Load } from '../base/load';
import { Store, type Readable } from '../base/store';
import { NO_HOVER, type Hover, type Reading } from '../state/hover';
import { initial, type Shared } from '../state/shared';
import { update, type Intent } from '../state/update';
import type { Engine } from '../wire/engine';
import { ExactReadings, type Completed } from './exact';
import { wireError } from '../wire/error';
import type { BlockDetails, Opened, WireError } from '../wire/known';

interface BlockQuestion {
  readonly device: number;
  readonly block: number;
}

/** One open recording: its state, and what was read about it. */
export class Session {
  readonly opened: Opened;
  readonly shared: Store<Shared>;
  readonly hover = new Store<Hover>(NO_HOVER);
  readonly reading = new Store<Reading | undefined>(undefined);
  /** The selected block. */
  readonly details = new Store<Load<BlockDetails, WireError>>({ phase: 'empty' });
  /** The block under the pointer, once it is read. */
  readonly hovered = new Store<BlockDetails | undefined>(undefined);
  readonly #selected: Latest<BlockQuestion, BlockDetails>;
  readonly #pointed: Latest<BlockQuestion, BlockDetails>;
  readonly #exact: ExactReadings;
  readonly #ends: readonly (() => void)[];
  #wantedBlock: BlockQuestion | undefined;
  #hoveredBlock: BlockQuestion | undefined;

  constructor(engine: Engine, opened: Opened) {
    this.opened = opened;
    this.shared = new Store(initial(opened));
    this.#exact = new ExactReadings(engine, this.shared);
    const ask = ({ device, block }: BlockQuestion): Promise<BlockDetails> =>
      engine.block(opened.session, device, block);
    this.#selected = new Latest(
      ask,
      (details) => {
        this.#arrived(details);
      },
      (error) => {
        this.details.set({ phase: 'failed', error: wireError(error) });
      },
    );
    this.#pointed = new Latest(
      ask,
      (details) => {
        this.hovered.set(details);
      },
      () => {
        this.hovered.set(undefined);
      },
    );
    this.#ends = [
      this.shared.subscribe((shared) => {
        this.#readSelected(shared);
      }),
      this.hover.subscribe((hover) => {
        this.#readHovered(hover);
        this.#exact.look(hover);
      }),
    ];
  }

  /** Everything a person wants comes through here. */
  readonly send = (intent: Intent): void => {
    this.shared.set(update(this.shared.get(), intent));
  };

  /** The last reading that was completed where lines leave the picture. */
  get exact(): Readable<Completed | undefined> {
    return this.#exact.completed;
  }

  stop(): void {
    for (const end of this.#ends) end();
    this.#selected.drop();
    this.#pointed.drop();
    this.#exact.stop();
  }

  #readSelected(shared: Shared): void {
    const { selection, device } = shared;
    if (selection.kind === 'none') {
      this.#wantedBlock = undefined;
      this.#selected.drop();
      this.details.set({ phase: 'empty' });
      return;
    }
    const before = this.details.get();
    const question = { device, block: selection.block };
    if (isSame(this.#wantedBlock, question)) {
      const isReady = before.phase === 'ready' && before.value.block === selection.block;
      if (isReady && shared.wanted !== 'nothing')
        this.send({ kind: 'life', details: before.value });
      return;
    }
    this.#wantedBlock = question;
    const stale = before.phase === 'ready' ? before.value : undefined;
    this.details.set({ phase: 'loading', stale });
    this.#selected.put(question);
  }

  #arrived(details: BlockDetails): void {
    this.details.set({ phase: 'ready', value: details });
    this.send({ kind: 'life', details });
  }

  #readHovered(hover: Hover): void {
    const isBand = hover.kind === 'at' && hover.target.kind === 'band';
    if (!isBand) {
      this.#hoveredBlock = undefined;
      return;
    }
    const question = { device: this.shared.get().device, block: hover.target.block };
    if (isSame(this.#hoveredBlock, question)) return;
    this.#hoveredBlock = question;
    this.#pointed.put(question);
  }
}

const isSame = (a: BlockQuestion | undefined, b: BlockQuestion): boolean =>
  a?.device === b.device && a.block === b.block;
