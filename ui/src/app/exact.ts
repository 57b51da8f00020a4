import { Latest } from '../base/latest';
import { Store, type Readable } from '../base/store';
import type { Hover, Reading } from '../state/hover';
import { extent, type Shared } from '../state/shared';
import { bytesOf } from '../views/lifecycle/height';
import { placedOf } from '../views/lifecycle/question';
import type { Engine } from '../wire/engine';
import type { SceneQuestion } from '../wire/known';
import { MOST_PX } from '../wire/limits';

/** A reading, with the device it is of. */
export interface Completed {
  readonly device: number;
  readonly reading: Reading;
}

/** Completes the readout where lines leave the picture: asks for the totals of one state. */
export class ExactReadings {
  readonly #completed = new Store<Completed | undefined>(undefined);
  readonly #latest: Latest<
    { readonly question: SceneQuestion; readonly reading: Reading },
    Completed
  >;
  readonly #shared: Readable<Shared>;

  constructor(engine: Engine, shared: Readable<Shared>) {
    this.#shared = shared;
    this.#latest = new Latest(
      async ({ question, reading }) => {
        const placed = placedOf(question, await engine.scene(question));
        const { active, reserved } = placed.scene.lines;
        return {
          device: question.device,
          reading: {
            ...reading,
            active: bytesOf(placed, active, 0),
            reserved: bytesOf(placed, reserved, 0),
          },
        };
      },
      (completed) => {
        this.#completed.set(completed);
      },
      () => undefined,
    );
  }

  /** The last reading that was completed. */
  get completed(): Readable<Completed | undefined> {
    return this.#completed;
  }

  /** Asks for what is missing under the pointer. */
  readonly look = (hover: Hover): void => {
    const reading = hover.kind === 'at' ? hover.reading : undefined;
    const isWhole = reading?.active !== undefined && reading.reserved !== undefined;
    if (reading === undefined || isWhole) return;
    const shared = this.#shared.get();
    if (isOfSameState(this.#completed.get(), shared.device, reading)) return;
    this.#latest.put({ question: questionFor(shared, reading.event), reading });
  };

  stop(): void {
    this.#latest.drop();
  }
}

/** `reading` of `device`, with what `completed` knows of the same state. */
export function complete(
  reading: Reading | undefined,
  device: number,
  completed: Completed | undefined,
): Reading | undefined {
  if (reading === undefined || completed === undefined) return reading;
  if (!isOfSameState(completed, device, reading)) return reading;
  return {
    ...reading,
    active: reading.active ?? completed.reading.active,
    reserved: reading.reserved ?? completed.reading.reserved,
  };
}

const isOfSameState = (
  completed: Completed | undefined,
  device: number,
  reading: Reading,
): boolean => completed?.device === device && completed.reading.event === reading.event;

const questionFor = (shared: Shared, event: number): SceneQuestion => ({
  session: shared.session,
  device: shared.device,
  axis: 'event',
  x0: event + 0.25,
  x1: event + 0.75,
  y0: 0,
  y1: extent(shared).top,
  width_px: 1,
  // As fine as can be: bytes are read off pixels.
  height_px: MOST_PX,
  color: shared.color,
  detail: 'lines',
  selected: undefined,
});
