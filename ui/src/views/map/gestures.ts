import { ordered, type Span } from '../../base/span';
import type { DragMode } from '../../state/shared';
import type { Point } from './reading';

/** A rectangle in device pixels. */
export interface Box {
  readonly x: Span;
  readonly y: Span;
}

/** What hears of gestures; places are device pixels from the top left corner. */
export interface Stage {
  readonly host: HTMLElement;
  scale(): number;
  pointed(at: Point | undefined): void;
  clicked(at: Point): void;
  doubleClicked(at: Point): void;
  dragged(by: Point): void;
  /** What a drag does; with Shift it always marks a period. */
  mode(): DragMode;
  /** The rectangle that a drag draws, or has drawn to its end; a period has all of the height. */
  boxed(box: Box | undefined): void;
  framed(box: Box): void;
  spanned(x: Span): void;
  /** `isBytes`: the bytes are to be zoomed, not the axis. */
  zoomed(at: Point, factor: number, isBytes: boolean): void;
}

type Drag =
  { readonly start: Point; readonly mode: DragMode; last: Point; isFar: boolean } | undefined;

const CLICK_PX = 4;
const WHEEL_SPEED = 0.0016;
const LINE_PX = 18;

/** Turns pointer and wheel into what the stage understands. The answer ends that. */
export function listenTo(stage: Stage): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const { host } = stage;
  let drag: Drag;
  const point = (event: MouseEvent): Point => {
    const { left, top } = host.getBoundingClientRect();
    const scale = stage.scale();
    return { x: (event.clientX - left) * scale, y: (event.clientY - top) * scale };
  };
  const on = <Kind extends keyof HTMLElementEventMap>(
    kind: Kind,
    listener: (event: HTMLElementEventMap[Kind]) => void,
  ): void => {
    host.addEventListener(kind, listener, { signal, passive: false });
  };
  const end = (): void => {
    drag = undefined;
    host.classList.remove('is-panning');
    stage.boxed(undefined);
  };
  on('pointerdown', (event) => {
    const start = point(event);
    if (event.button !== 0) return;
    drag = { start, mode: event.shiftKey ? 'period' : stage.mode(), last: start, isFar: false };
  });
  on('pointermove', (event) => {
    const at = point(event);
    if (drag !== undefined) move(stage, drag, at, event.pointerId);
    stage.pointed(drag?.isFar === true ? undefined : at);
  });
  on('pointerup', (event) => {
    const [done, at] = [drag, point(event)];
    end();
    if (done?.isFar === false) stage.clicked(at);
    if (done?.isFar !== true) return;
    if (done.mode === 'box') stage.framed(boxOf(done, at));
    if (done.mode === 'period') stage.spanned(boxOf(done, at).x);
  });
  on('pointercancel', end);
  on('pointerleave', () => {
    stage.pointed(undefined);
  });
  on('dblclick', (event) => {
    stage.doubleClicked(point(event));
  });
  on('wheel', (event) => {
    wheel(stage, event, point(event));
  });
  return () => {
    ending.abort();
  };
}

const boxOf = ({ start }: NonNullable<Drag>, at: Point): Box => ({
  x: ordered(start.x, at.x),
  y: ordered(start.y, at.y),
});

/** Draws, or moves by whole device pixels; what is left over counts for the next move. */
function move(stage: Stage, drag: NonNullable<Drag>, at: Point, pointer: number): void {
  if (!drag.isFar) {
    const far = Math.hypot(at.x - drag.start.x, at.y - drag.start.y);
    if (far < CLICK_PX * stage.scale()) return;
    drag.isFar = true;
    stage.host.setPointerCapture(pointer);
    if (drag.mode === 'pan') stage.host.classList.add('is-panning');
  }
  if (drag.mode !== 'pan') {
    const box = boxOf(drag, at);
    stage.boxed(drag.mode === 'box' ? box : { ...box, y: { from: -Infinity, to: Infinity } });
    return;
  }
  const by = { x: Math.round(at.x - drag.last.x), y: Math.round(at.y - drag.last.y) };
  drag.last = { x: drag.last.x + by.x, y: drag.last.y + by.y };
  stage.dragged(by);
}

function wheel(stage: Stage, event: WheelEvent, at: Point): void {
  event.preventDefault();
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
  const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
  if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) {
    const css = event.shiftKey && dx === 0 ? dy : dx;
    stage.dragged({ x: -Math.round(css * stage.scale()), y: 0 });
  } else stage.zoomed(at, Math.exp(dy * WHEEL_SPEED), event.ctrlKey);
}
