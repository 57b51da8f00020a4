import type { Busy } from '../base/busy';
import type { Seen } from '../views/lifecycle/reading';

/** What a test of the real window may ask of the page. */
export interface Probe {
  /** Resolves once no question is under way and no frame is due. */
  idle(): Promise<void>;
  /** A band on the screen, the largest first: its centre in CSS pixels of the window. */
  bandAt(
    index: number,
  ): { readonly x: number; readonly y: number; readonly block: number } | undefined;
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
  };
}
