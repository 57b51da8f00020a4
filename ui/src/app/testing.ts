import type { Busy } from '../base/busy';
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
  /** The calls on the screen, the widest first; CSS pixels of the window. */
  calls(): readonly SeenCall[];
}

type MarkFinder = () => readonly SeenMark[];

let markFinder: MarkFinder | undefined;

/** Tells how to find the marks of the selected segment's growth. */
export function showMarks(finder: MarkFinder | undefined): void {
  markFinder = finder;
}

let callFinder: (() => readonly SeenCall[]) | undefined;

/** Tells how to find the calls of the flame graph that are shown. */
export function showFlame(finder: (() => readonly SeenCall[]) | undefined): void {
  callFinder = finder;
}

type PoolFinder = (block: number) => { readonly x: number; readonly y: number } | undefined;

let poolFinder: PoolFinder | undefined;

type MapFinder = () => readonly {
  readonly x: number;
  readonly y: number;
  readonly block: number;
}[];

let mapFinder: MapFinder | undefined;

/** Tells how to find the blocks of the address map that are shown. */
export function showMap(finder: MapFinder | undefined): void {
  mapFinder = finder;
}

/** Tells how to find blocks in the pool that is shown. */
export function showPool(finder: PoolFinder | undefined): void {
  poolFinder = finder;
}

declare global {
  interface Window {
    __tidemark?: Probe;
  }
}

/** Lets tests look in; `bands` is asked at every call. */
export function installProbe(window: Window, busy: Busy, bands: () => readonly Seen[]): void {
  window.__tidemark = {
    idle: () => busy.idle(),
    bandAt: (index) => {
      const seen = bands()[index];
      return seen && { x: seen.x, y: seen.y, block: seen.block };
    },
    bandOf: (block) => {
      const seen = bands().find((band) => band.block === block);
      return seen && { x: seen.x, y: seen.y };
    },
    poolBlockAt: (block) => poolFinder?.(block),
    mapBlockAt: (index) => mapFinder?.()[index],
    growthMarks: () => markFinder?.() ?? [],
    calls: () => callFinder?.() ?? [],
  };
}
