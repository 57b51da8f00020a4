/** A place in device pixels from the top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What hears of gestures. */
export interface Stage {
  scale(): number;
  pointed(at: Point | undefined): void;
  /** `isWide`: with Shift, which asks for what is around. */
  clicked(at: Point, isWide: boolean): void;
  dragged(by: Point): void;
  zoomed(at: Point, factor: number): void;
  fitted(): void;
}

const CLICK_PX = 4;
const WHEEL_SPEED = 0.0016;
const LINE_PX = 18;

/** Turns pointer and wheel into what the stage understands. The answer ends that. */
export function listenTo(host: HTMLElement, stage: Stage): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let pressed: { readonly start: Point; last: Point; isDrag: boolean } | undefined;
  const point = (event: MouseEvent): Point => {
    const { left, top } = host.getBoundingClientRect();
    const scale = stage.scale();
    return { x: (event.clientX - left) * scale, y: (event.clientY - top) * scale };
  };
  const drag = (event: PointerEvent, at: Point): void => {
    if (pressed === undefined) return;
    const far = Math.hypot(at.x - pressed.start.x, at.y - pressed.start.y);
    if (!pressed.isDrag && far < CLICK_PX * stage.scale()) return;
    if (!pressed.isDrag) host.setPointerCapture(event.pointerId);
    pressed.isDrag = true;
    host.classList.add('is-panning');
    stage.dragged({ x: at.x - pressed.last.x, y: at.y - pressed.last.y });
    pressed.last = at;
  };
  const on = <Kind extends keyof HTMLElementEventMap>(
    kind: Kind,
    listener: (event: HTMLElementEventMap[Kind]) => void,
  ): void => {
    host.addEventListener(kind, listener, { signal, passive: false });
  };
  const end = (): void => {
    pressed = undefined;
    host.classList.remove('is-panning');
  };
  on('pointerdown', (event) => {
    const start = point(event);
    if (event.button === 0) pressed = { start, last: start, isDrag: false };
  });
  on('pointermove', (event) => {
    const at = point(event);
    drag(event, at);
    stage.pointed(pressed?.isDrag === true ? undefined : at);
  });
  on('pointerup', (event) => {
    const isClick = pressed?.isDrag === false;
    end();
    if (isClick) stage.clicked(point(event), event.shiftKey);
  });
  on('pointercancel', end);
  on('pointerleave', () => {
    stage.pointed(undefined);
  });
  on('dblclick', () => {
    stage.fitted();
  });
  on('wheel', (event) => {
    wheel(event, point(event), stage);
  });
  return () => {
    ending.abort();
  };
}

/** Zooms at the pointer; moves with Shift or sideways. */
function wheel(event: WheelEvent, at: Point, stage: Stage): void {
  event.preventDefault();
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
  const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
  const scale = stage.scale();
  if (event.shiftKey) stage.dragged({ x: 0, y: -(dy === 0 ? dx : dy) * scale });
  else if (Math.abs(dx) > Math.abs(dy)) stage.dragged({ x: -dx * scale, y: 0 });
  else stage.zoomed(at, Math.exp(dy * WHEEL_SPEED));
}
