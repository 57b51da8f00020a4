import type { AnnotationRange, SegmentChange } from '../wire/known';

/** What lies under the pointer. */
export type Target =
  | { readonly kind: 'band'; readonly block: number }
  | { readonly kind: 'remainder'; readonly count: number; readonly bytes: number }
  | { readonly kind: 'range'; readonly range: AnnotationRange }
  /** Where the selected segment grew or shrank. */
  | { readonly kind: 'growth'; readonly changes: readonly SegmentChange[] }
  | { readonly kind: 'nothing' };

/** The totals at one place of the axis. */
export interface Reading {
  /** Place on the axis. */
  readonly x: number;
  /** The event right after which it is so; −1 before the first. */
  readonly event: number;
  readonly allocated: number;
  readonly active: number | undefined;
  readonly reserved: number | undefined;
  /** The outermost named range there. */
  readonly within: string | undefined;
}

/** Where the pointer is over the lifecycle picture; passing, so it is no part of `Shared`. */
export type Hover =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'at';
      /** CSS pixels from the picture's top left corner. */
      readonly left: number;
      readonly top: number;
      readonly target: Target;
      readonly reading: Reading | undefined;
    };

export const NO_HOVER: Hover = { kind: 'none' };

/** What lies under the pointer in the pool. Rows are rows of the pool as it is drawn. */
export type PoolTarget =
  | {
      readonly kind: 'block';
      readonly block: number;
      /** Hex. */
      readonly address: string;
      readonly size: number;
      readonly requested: number;
      readonly isPending: boolean;
      readonly segment: PoolHome;
    }
  | {
      readonly kind: 'gap';
      /** Hex. */
      readonly address: string;
      readonly bytes: number;
      readonly isLargest: boolean;
      readonly segment: PoolHome;
    };

/** The segment something lies in. */
export interface PoolHome {
  /** Hex. */
  readonly address: string;
  readonly size: number;
  readonly free: number;
  readonly largestGap: number;
  readonly gaps: number;
  readonly blocks: number;
}

/** Where the pointer is over the pool; CSS pixels from the picture's top left corner. */
export type PoolHover =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'at';
      readonly left: number;
      readonly top: number;
      readonly target: PoolTarget;
    };

export const NO_POOL_HOVER: PoolHover = { kind: 'none' };
