import { Latest } from '../base/latest';
import { Store, type Readable } from '../base/store';
import type { Hover, Reading } from '../state/hover';
import { extent, type Shared } from '../state/shared';
import { bytesOf } from '../views/lifecycle/height';
import { placedOf } from '../views/lifecycle/question';
import type { Engine } from '../wire/engine';
import type { SceneQuestion } from '../wire/known';

/** Fine enough to read bytes off a pixel. */
const FINE_PX = 65536;

/** Completes the readout where lines leave the picture: asks for the totals of one state. */
export class ExactReadings {
  readonly #completed = new Store<Reading | undefined>(undefined);
  readonly #latest: Latest<
    { readonly question: SceneQuestion; readonly reading: Reading },
    Reading
  >;
  readonly #shared: Readable<Shared>;

  constructor(engine: Engine, shared: Readable<Shared>) {
    this.#shared = shared;
    this.#latest = new Latest(
      async ({ question, reading }) => {
        const placed = placedOf(question, await engine.scene(question));
        const { active, reserved } = placed.scene.lines;
        return {
          ...reading,
          active: bytesOf(placed, active, 0),
          reserved: bytesOf(placed, reserved, 0),
        };
      },
      (reading) => {
        this.#completed.set(reading);
      },
      () => undefined,
    );
  }

  /** The last reading that was completed. */
  get completed(): Readable<Reading | undefined> {
    return this.#completed;
  }

  /** Asks for what is missing under the pointer. */
  readonly look = (hover: Hover): void => {
    const reading = hover.kind === 'at' ? hover.reading : undefined;
    const isWhole = reading?.active !== undefined && reading.reserved !== undefined;
    if (reading === undefined || isWhole) return;
    if (this.#completed.get()?.event === reading.event) return;
    this.#latest.put({ question: questionFor(this.#shared.get(), reading.event), reading });
  };

  stop(): void {
    this.#latest.drop();
  }
}

/** `reading`, with what `completed` knows of the same state. */
export function complete(
  reading: Reading | undefined,
  completed: Reading | undefined,
): Reading | undefined {
  if (reading === undefined || completed?.event !== reading.event) return reading;
  return {
    ...reading,
    active: reading.active ?? completed.active,
    reserved: reading.reserved ?? completed.reserved,
  };
}

const questionFor = (shared: Shared, event: number): SceneQuestion => ({
  session: shared.session,
  device: shared.device,
  axis: 'event',
  x0: event + 0.25,
  x1: event + 0.75,
  y0: 0,
  y1: extent(shared).top,
  width_px: 1,
  height_px: FINE_PX,
  color: shared.color,
  detail: 'lines',
  selected: undefined,
});
