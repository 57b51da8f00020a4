import type { Busy } from '../base/busy';
import { isAside } from './keyboard';
import type { SeenCall } from '../views/flame/view';
import type { SeenMark } from '../views/lifecycle/marks';
import type { Seen } from '../views/lifecycle/reading';

/** What a test of the real window may ask of the page. */
export interface Probe {
  /** Resolves once no question is under way and no frame is due. */
  idle(): Promise<void>;
  /** A band on the screen, the largest first: its centre in CSS pixels of the window. */
  bandAt(
    index: number,
  ): { readonly x: number; readonly y: number; readonly block: number } | undefined;
  /** The largest band of a block, if it is on the screen: its centre in CSS pixels of the window. */
  bandOf(block: number): { readonly x: number; readonly y: number } | undefined;
  /** A block in the pool: a place in it, CSS pixels of the window. */
  poolBlockAt(block: number): { readonly x: number; readonly y: number } | undefined;
  /** A block of the address map on the screen, the largest first. */
  mapBlockAt(
    index: number,
  ): { readonly x: number; readonly y: number; readonly block: number } | undefined;
  /** The marks of the selected segment's growth, CSS pixels of the window. */
  growthMarks(): readonly SeenMark[];
  /** Opens files as if they were dropped on the window. */
  drop(paths: readonly string[]): void;
  /** The calls on the screen, the widest first; CSS pixels of the window. */
  calls(): readonly SeenCall[];
  /** What the page tried since it began, and its policy forbids. */
  refused(): readonly string[];
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Finds something in pictures, of which only those in the tab in front are looked at. */
class Finders<T> {
  #made: readonly { readonly picture: Element; readonly find: T }[] = [];

  /** Tells how to find it in `picture`; the answer ends that. */
  show(picture: Element, find: T): () => void {
    const made = { picture, find };
    this.#made = [...this.#made, made];
    return () => {
      this.#made = this.#made.filter((one) => one !== made);
    };
  }

  get(): T | undefined {
    return this.#made.findLast(({ picture }) => !isAside(picture))?.find;
  }
}

const bandFinders = new Finders<() => readonly Seen[]>();
const markFinders = new Finders<() => readonly SeenMark[]>();
const callFinders = new Finders<() => readonly SeenCall[]>();
const poolFinders = new Finders<(block: number) => Spot | undefined>();
const mapFinders = new Finders<() => readonly (Spot & { readonly block: number })[]>();

/** Tells how to find the bands of a lifecycle picture; the answer ends that. */
export const showBands = bandFinders.show.bind(bandFinders);
/** Likewise the marks of the selected segment's growth. */
export const showMarks = markFinders.show.bind(markFinders);
/** Likewise the calls of a flame graph. */
export const showFlame = callFinders.show.bind(callFinders);
/** Likewise the blocks of an address map. */
export const showMap = mapFinders.show.bind(mapFinders);
/** Likewise the blocks of a pool. */
export const showPool = poolFinders.show.bind(poolFinders);

declare global {
  interface Window {
    __tidemark?: Probe;
  }
}

/** Lets tests look in; the answer ends that it hears what is refused. */
export function installProbe(
  window: Window,
  busy: Busy,
  drop: (paths: readonly string[]) => void = () => undefined,
): () => void {
  const refused: string[] = [];
  const hear = (event: SecurityPolicyViolationEvent): void => {
    refused.push(`${event.effectiveDirective} ${event.blockedURI} in ${event.sourceFile}`);
  };
  window.addEventListener('securitypolicyviolation', hear);
  const bands = (): readonly Seen[] => bandFinders.get()?.() ?? [];
  const place = (seen: Seen): ReturnType<Probe['bandAt']> => ({
    x: seen.x,
    y: seen.y,
    block: seen.block,
  });
  window.__tidemark = {
    idle: () => busy.idle(),
    bandAt: (index) => {
      const seen = bands()[index];
      return seen && place(seen);
    },
    bandOf: (block) => {
      const seen = bands().find((band) => band.block === block);
      return seen && place(seen);
    },
    drop,
    poolBlockAt: (block) => poolFinders.get()?.(block),
    mapBlockAt: (index) => mapFinders.get()?.()[index],
    growthMarks: () => markFinders.get()?.() ?? [],
    calls: () => callFinders.get()?.() ?? [],
    refused: () => refused,
  };
  return () => {
    window.removeEventListener('securitypolicyviolation', hear);
  };
}
