import { length, middle, type Span } from '../../base/span';
import type { CommandId } from '../../state/commands';
import { shown, type Shared } from '../../state/shared';
import type { Intent } from '../../state/update';

const ZOOM_STEP = 0.75;
const PAN_SHARE = 0.15;

/** Commands that move the picture, or change what a drag on it does. */
export const VIEW_COMMANDS = [
  'zoom-in',
  'zoom-out',
  'pan-left',
  'pan-right',
  'whole',
  'box',
  'period',
  'peak',
  'deselect',
] as const satisfies readonly CommandId[];

type ViewCommand = (typeof VIEW_COMMANDS)[number];

/** What a command means for the picture, or nothing. `at` is the place under the pointer. */
export function viewIntent(
  command: ViewCommand,
  shared: Shared,
  at: number | undefined,
): Intent | undefined {
  const x = shown(shared);
  switch (command) {
    case 'zoom-in':
      return { kind: 'zoom-x', at: inside(at, x), factor: ZOOM_STEP };
    case 'zoom-out':
      return { kind: 'zoom-x', at: inside(at, x), factor: 1 / ZOOM_STEP };
    case 'pan-left':
      return { kind: 'pan-x', by: -PAN_SHARE * length(x) };
    case 'pan-right':
      return { kind: 'pan-x', by: PAN_SHARE * length(x) };
    case 'box':
      return { kind: 'mode', mode: shared.mode === 'box' ? 'pan' : 'box' };
    case 'period':
      return { kind: 'mode', mode: shared.mode === 'period' ? 'pan' : 'period' };
    case 'peak':
      return { kind: 'peak' };
    case 'whole':
      return { kind: 'reset' };
    case 'deselect':
      return escape(shared);
  }
}

function escape(shared: Shared): Intent | undefined {
  if (shared.mode !== 'pan') return { kind: 'mode', mode: 'pan' };
  if (shared.selection.kind !== 'none') {
    return { kind: 'select', selection: { kind: 'none' }, wanted: 'nothing' };
  }
  return shared.cursor === undefined ? undefined : { kind: 'cursor', event: undefined };
}

const inside = (at: number | undefined, x: Span): number =>
  at !== undefined && at >= x.from && at <= x.to ? at : middle(x);
