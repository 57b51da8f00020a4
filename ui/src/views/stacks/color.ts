import { hue } from '../../draw/palette';
import type { StackNode } from '../../wire/stack-tree';

/** How much of the colour a frame has: the user's own code stands out. */
const STRENGTH = { user: 62, library: 30, native: 18, no_stack: 0, rest: 0 } as const;

/** The colour of a node: one a file, mixed with the ground so that its text can be read. */
export function colorOf({ kind, file }: StackNode): string {
  const strength = STRENGTH[kind];
  if (strength === 0) return 'var(--grid)';
  const [red, green, blue] = hue(hashOf(file ?? ''));
  const color = `rgb(${red.toString()} ${green.toString()} ${blue.toString()})`;
  return `color-mix(in srgb, ${color} ${strength.toString()}%, var(--panel))`;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0;
  }
  return hash;
}
