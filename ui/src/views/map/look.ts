import type { Span } from '../../base/span';
import { Store } from '../../base/store';
import type { LaneOrder } from '../../wire/map';

/** How a person looks at the address map of a device. */
export interface MapLook {
  readonly order: LaneOrder;
  /** The bytes of the lane axis that are shown; all of them until somebody chooses. */
  readonly y: Span | undefined;
}

const FIRST: MapLook = { order: 'address', y: undefined };

/** The look of every device; lasts as long as the recording is open. */
export class MapLooks {
  readonly all = new Store<ReadonlyMap<number, MapLook>>(new Map());

  of(device: number): MapLook {
    return this.all.get().get(device) ?? FIRST;
  }

  /** Other lanes lie at other bytes, so that all of them are shown again. */
  sort(device: number, order: LaneOrder): void {
    if (order !== this.of(device).order) this.#set(device, { order, y: undefined });
  }

  show(device: number, y: Span | undefined): void {
    this.#set(device, { ...this.of(device), y });
  }

  #set(device: number, look: MapLook): void {
    this.all.set(new Map(this.all.get()).set(device, look));
  }
}
