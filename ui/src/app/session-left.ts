import { fieldOf, listOf, oneOf, wholeIn } from '../base/json';
import type { Left } from '../base/left';
import type { Store } from '../base/store';
import { locatorOf, find, type Kept } from '../state/found';
import { readSelection, readSpan, rowsOf } from '../state/located';
import type { MapLook, MapLooks } from '../views/map/look';
import type { Engine } from '../wire/engine';
import type { Opened } from '../wire/known';

/** What a session is made of that is found again. */
interface Parts {
  readonly engine: Engine;
  readonly opened: Opened;
  readonly left: Left;
}

/** Reads again what was kept open beside the selection; then keeps what is. */
export function keepKept(
  { engine, opened, left }: Parts,
  kept: Store<readonly Kept[]>,
): () => void {
  const asked = listOf(left.get('kept')).map((one) => readKept(engine, opened, one));
  let isStopped = false;
  let end: (() => void) | undefined;
  void Promise.all(asked).then((found) => {
    if (isStopped) return;
    const there = found.flatMap((one) => one ?? []);
    if (there.length > 0) kept.set([...there, ...kept.get()]);
    end = kept.subscribe((all) => {
      const places = all.map(({ device, found }) => ({ device, selection: locatorOf(found) }));
      left.put('kept', places);
    });
  });
  return () => {
    isStopped = true;
    end?.();
  };
}

async function readKept(engine: Engine, opened: Opened, one: unknown): Promise<Kept | undefined> {
  const device = wholeIn(fieldOf(one, 'device'), 0, opened.summary.devices.length - 1);
  if (device === undefined) return undefined;
  const selection = readSelection(fieldOf(one, 'selection'), rowsOf(opened, device));
  if (selection === undefined) return undefined;
  try {
    const found = await find(engine, opened.session, { device, selection });
    return found && { device, found };
  } catch {
    // It leads nowhere any more, which is no trouble of anybody's.
    return undefined;
  }
}

/** Looks at the address maps as they were left; then keeps how they are looked at. */
export function keepLooks({ opened, left }: Omit<Parts, 'engine'>, looks: MapLooks): () => void {
  const most = opened.summary.devices.length - 1;
  const all = listOf(left.get('maps')).flatMap((one): readonly (readonly [number, MapLook])[] => {
    const [row, look] = listOf(one);
    const device = wholeIn(row, 0, most);
    const order = oneOf(fieldOf(look, 'order'), ['address', 'size'] as const);
    if (device === undefined || order === undefined) return [];
    return [[device, { order, y: readSpan(fieldOf(look, 'y')) }]];
  });
  looks.all.set(new Map(all));
  return looks.all.subscribe((now) => {
    left.put('maps', [...now]);
  });
}
