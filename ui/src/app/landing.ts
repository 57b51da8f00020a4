import { Latest } from '../base/latest';
import type { Landed } from '../state/carry';
import { bounds, type Carried, type Shared } from '../state/shared';
import type { Intent } from '../state/update';
import type { Engine } from '../wire/engine';
import type { EventRef, SceneQuestion } from '../wire/known';

/** Microseconds: less than the least step of a clock, more than what numbers are rounded by. */
const INSTANT = 0.0002;

interface Flight {
  readonly shared: Shared;
  readonly carried: Carried;
}

/** Finds the events of what is carried to a track by time. */
export class Landing {
  readonly #latest: Latest<Flight, Landed>;
  #carried: Carried | undefined;

  constructor(engine: Engine, send: (intent: Intent) => void) {
    this.#latest = new Latest(
      (flight) => land(engine, flight),
      (landed, { carried }) => {
        send({ kind: 'landed', carried, landed });
      },
      () => undefined,
    );
  }

  readonly look = (shared: Shared): void => {
    const { carried } = shared;
    if (carried === this.#carried) return;
    this.#carried = carried;
    if (carried !== undefined) this.#latest.put({ shared, carried });
  };

  stop(): void {
    this.#latest.drop();
  }
}

async function land(engine: Engine, { shared, carried }: Flight): Promise<Landed> {
  const { cursor, period } = carried;
  return {
    cursor: cursor === undefined ? undefined : await refAt(engine, shared, cursor + INSTANT),
    period: period && {
      from: (await eventAt(engine, shared, period.from - INSTANT)) + 1,
      to: await eventAt(engine, shared, period.to + INSTANT),
    },
  };
}

async function refAt(engine: Engine, shared: Shared, us: number): Promise<EventRef> {
  const event = await eventAt(engine, shared, us);
  if (event < 0) return { event, time_us: undefined };
  const { time_us } = await engine.event(shared.session, shared.device, event);
  return { event, time_us };
}

/** The last event at or before a moment of the time axis; −1: none. */
async function eventAt(engine: Engine, shared: Shared, us: number): Promise<number> {
  const whole = bounds({ ...shared, axis: 'time' });
  if (us <= whole.from) return -1;
  const x0 = Math.min(us, whole.to - INSTANT);
  const scene = await engine.scene(instant(shared, x0));
  return (scene.state[0] ?? 0) - 1;
}

const instant = (shared: Shared, x0: number): SceneQuestion => ({
  session: shared.session,
  device: shared.device,
  axis: 'time',
  x0,
  x1: x0 + INSTANT,
  y0: 0,
  y1: 1,
  width_px: 4,
  height_px: 1,
  color: 'address',
  detail: 'lines',
  selected: undefined,
});
