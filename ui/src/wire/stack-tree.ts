import type * as wire from './bindings';
import type { Known } from './known';

/** Which blocks a tree of stacks is of. */
export type StackSet = Known<wire.StackSet>;
export type StackTreeQuestion = Known<wire.StackTreeQuestion>;
export type StackTree = Known<wire.StackTree>;
export type StackNode = Known<wire.StackNode>;
