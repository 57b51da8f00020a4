/** A place in device pixels from the top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What hears of gestures. */
export interface Stage {
  readonly host: HTMLElement;
  scale(): number;
  pointed(at: Point | undefined): void;
  clicked(at: Point): void;
  doubleClicked(at: Point): void;
  dragged(by: Point): void;
  zoomed(at: Point, factor: number): void;
  /** Depths are to be scrolled by device pixels. */
  scrolled(by: number): void;
  /** Whether the wheel scrolls there whatever the keys. */
  isBeside(at: Point): boolean;
}

interface Drag {
  readonly start: Point;
  last: Point;
  isFar: boolean;
}

const CLICK_PX = 4;
const WHEEL_SPEED = 0.0016;
const LINE_PX = 18;

/** Turns pointer and wheel into what the stage understands. The answer ends that. */
export function listenTo(stage: Stage): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const { host } = stage;
  let drag: Drag | undefined;
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
  };
  on('pointerdown', (event) => {
    const start = point(event);
    if (event.button === 0) drag = { start, last: start, isFar: false };
  });
  on('pointermove', (event) => {
    const at = point(event);
    if (drag !== undefined) move(stage, drag, at, event.pointerId);
    stage.pointed(drag?.isFar === true ? undefined : at);
  });
  on('pointerup', (event) => {
    const isClick = drag?.isFar === false;
    end();
    if (isClick) stage.clicked(point(event));
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

/** Moves by whole device pixels; what is left over counts for the next move. */
function move(stage: Stage, drag: Drag, at: Point, pointer: number): void {
  if (!drag.isFar) {
    const far = Math.hypot(at.x - drag.start.x, at.y - drag.start.y);
    if (far < CLICK_PX * stage.scale()) return;
    drag.isFar = true;
    stage.host.setPointerCapture(pointer);
    stage.host.classList.add('is-panning');
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
  } else if (event.ctrlKey || stage.isBeside(at)) {
    stage.scrolled(Math.round(dy * stage.scale()));
  } else stage.zoomed(at, Math.exp(dy * WHEEL_SPEED));
}
