import { length, moved, ordered, type Span } from '../../base/span';
import type { SliderParts } from './parts';

/** What a drag on the slider moves. */
export type Grip = 'left' | 'right' | 'window';

/** What the slider's gestures do. */
export interface Slide {
  /** The place on the axis at a pixel of the window. */
  place(clientX: number): number;
  shown(): Span;
  bounds(): Span;
  show(x: Span): void;
  zoom(at: number, factor: number): void;
  nudge(grip: Grip, share: number): void;
}

type Drag =
  | { readonly kind: 'none' }
  | { readonly kind: 'brush'; readonly start: number; readonly clientX: number }
  | { readonly kind: Grip; readonly start: number; readonly span: Span };

const BRUSH_PX = 4;
const NUDGE = 0.1;
const WHEEL_SPEED = 0.0016;

/** Turns pointer, wheel and keys on the slider into movements. The answer ends that. */
export function listenToSlider(host: HTMLElement, parts: SliderParts, slide: Slide): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let drag: Drag = { kind: 'none' };
  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    host.setPointerCapture(event.pointerId);
    drag = begin(event, parts, slide);
  };
  const move = (event: PointerEvent): void => {
    const next = dragged(drag, slide.place(event.clientX), event.clientX);
    if (next !== undefined) slide.show(next);
  };
  const up = (event: PointerEvent): void => {
    if (drag.kind === 'brush' && Math.abs(event.clientX - drag.clientX) < BRUSH_PX) {
      slide.show(centered(slide.shown(), drag.start));
    }
    drag = { kind: 'none' };
  };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    slide.zoom(slide.place(event.clientX), Math.exp(event.deltaY * WHEEL_SPEED));
  };
  host.addEventListener('pointerdown', down, { signal });
  host.addEventListener('pointermove', move, { signal });
  host.addEventListener('pointerup', up, { signal });
  host.addEventListener(
    'pointercancel',
    () => {
      drag = { kind: 'none' };
    },
    { signal },
  );
  host.addEventListener('wheel', wheel, { signal, passive: false });
  host.addEventListener(
    'dblclick',
    () => {
      slide.show(slide.bounds());
    },
    { signal },
  );
  host.addEventListener(
    'keydown',
    (event) => {
      key(event, parts, slide);
    },
    { signal },
  );
  return () => {
    ending.abort();
  };
}

function begin(event: PointerEvent, parts: SliderParts, slide: Slide): Drag {
  const start = slide.place(event.clientX);
  const span = slide.shown();
  if (event.target === parts.left) return { kind: 'left', start, span };
  if (event.target === parts.right) return { kind: 'right', start, span };
  const isWhole = length(span) >= length(slide.bounds()) * 0.999;
  if (event.target === parts.window && !isWhole) return { kind: 'window', start, span };
  return { kind: 'brush', start, clientX: event.clientX };
}

/** What is to be shown when the pointer of `drag` is at `place`. */
function dragged(drag: Drag, place: number, clientX: number): Span | undefined {
  switch (drag.kind) {
    case 'none':
      return undefined;
    case 'brush':
      return Math.abs(clientX - drag.clientX) < BRUSH_PX ? undefined : ordered(drag.start, place);
    case 'window':
      return moved(drag.span, place - drag.start);
    case 'left':
      return ordered(drag.span.from + place - drag.start, drag.span.to);
    case 'right':
      return ordered(drag.span.from, drag.span.to + place - drag.start);
  }
}

function centered(span: Span, at: number): Span {
  const half = length(span) / 2;
  return { from: at - half, to: at + half };
}

function key(event: KeyboardEvent, parts: SliderParts, slide: Slide): void {
  const grip =
    event.target === parts.left ? 'left' : event.target === parts.right ? 'right' : undefined;
  const share = event.key === 'ArrowLeft' ? -NUDGE : event.key === 'ArrowRight' ? NUDGE : undefined;
  if (grip === undefined || share === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  slide.nudge(grip, share);
}
