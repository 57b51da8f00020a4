import { length, middle, type Span } from '../../base/span';
import { shown, type Shared } from '../../state/shared';
import type { Intent } from '../../state/update';

const ZOOM_STEP = 0.75;
const PAN_SHARE = 0.15;

/** What a key means for the picture, or nothing. `at` is the place under the pointer. */
export function keyIntent(key: string, shared: Shared, at: number | undefined): Intent | undefined {
  const x = shown(shared);
  switch (key) {
    case 'w':
    case 'W':
    case '+':
    case '=':
      return { kind: 'zoom-x', at: inside(at, x), factor: ZOOM_STEP };
    case 's':
    case 'S':
    case '-':
    case '_':
      return { kind: 'zoom-x', at: inside(at, x), factor: 1 / ZOOM_STEP };
    case 'a':
    case 'A':
    case 'ArrowLeft':
      return { kind: 'pan-x', by: -PAN_SHARE * length(x) };
    case 'd':
    case 'D':
    case 'ArrowRight':
      return { kind: 'pan-x', by: PAN_SHARE * length(x) };
    case 'b':
    case 'B':
      return { kind: 'mode', mode: shared.mode === 'box' ? 'pan' : 'box' };
    case 't':
    case 'T':
      return { kind: 'mode', mode: shared.mode === 'period' ? 'pan' : 'period' };
    case 'p':
    case 'P':
      return { kind: 'peak' };
    case 'r':
    case 'R':
      return { kind: 'reset' };
    case 'Escape':
      return escape(shared);
    default:
      return undefined;
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
