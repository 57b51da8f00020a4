import { length, ordered, unapply, type Span } from '../../base/span';
import type { Shared } from '../../state/shared';
import type { Intent } from '../../state/update';
import type { View } from './axes';

/** What the gestures need of the view they belong to. */
export interface Stage {
  readonly host: HTMLElement;
  /** The view as drawn last; nothing before the first picture. */
  view(): View | undefined;
  shared(): Shared;
  send(intent: Intent): void;
  /** The pointer moved there (device pixels from the top left corner), or left. */
  pointed(at: Point | undefined): void;
  clicked(at: Point): void;
  doubleClicked(at: Point): void;
  /** The rectangle of a box zoom under way. */
  boxed(box: Box | undefined): void;
  /** A period was drawn between two pixels. */
  spanned(span: Span): void;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly x: Span;
  readonly y: Span;
}

type Drag =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'pressed';
      readonly start: Point;
      readonly pointer: number;
      readonly isPeriod: boolean;
    }
  | { readonly kind: 'pan'; readonly last: Point; readonly pointer: number }
  | { readonly kind: 'box' | 'period'; readonly start: Point; readonly pointer: number };

/** CSS pixels a pointer may wander and still click. */
const CLICK_PX = 4;
const WHEEL_SPEED = 0.0016;
const LINE_PX = 18;

/** Turns pointer and wheel into intents. The answer ends that. */
export function listen(stage: Stage): () => void {
  const gestures = new Gestures(stage);
  const ending = new AbortController();
  const { signal } = ending;
  const { host } = stage;
  host.addEventListener(
    'pointerdown',
    (event) => {
      gestures.down(event);
    },
    { signal },
  );
  host.addEventListener(
    'pointermove',
    (event) => {
      gestures.move(event);
    },
    { signal },
  );
  host.addEventListener(
    'pointerup',
    (event) => {
      gestures.up(event);
    },
    { signal },
  );
  host.addEventListener(
    'pointercancel',
    () => {
      gestures.cancel();
    },
    { signal },
  );
  host.addEventListener(
    'pointerleave',
    () => {
      stage.pointed(undefined);
    },
    { signal },
  );
  host.addEventListener(
    'dblclick',
    (event) => {
      stage.doubleClicked(gestures.point(event));
    },
    { signal },
  );
  host.addEventListener(
    'wheel',
    (event) => {
      gestures.wheel(event);
    },
    { signal, passive: false },
  );
  return () => {
    ending.abort();
  };
}

class Gestures {
  readonly #stage: Stage;
  #drag: Drag = { kind: 'none' };

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** An event's place in device pixels. */
  point(event: MouseEvent): Point {
    const bounds = this.#stage.host.getBoundingClientRect();
    const scale = this.#stage.view()?.frame.scale ?? 1;
    return { x: (event.clientX - bounds.left) * scale, y: (event.clientY - bounds.top) * scale };
  }

  down(event: PointerEvent): void {
    if (event.button !== 0 || this.#stage.view() === undefined) return;
    const isPeriod = event.shiftKey || this.#stage.shared().mode === 'period';
    const start = this.point(event);
    this.#drag = { kind: 'pressed', start, pointer: event.pointerId, isPeriod };
  }

  move(event: PointerEvent): void {
    const at = this.point(event);
    switch (this.#drag.kind) {
      case 'none':
        break;
      case 'pressed':
        this.#pressed(this.#drag, at);
        break;
      case 'pan':
        this.#pan(this.#drag.last, this.#drag.pointer, at);
        break;
      case 'box':
        this.#stage.boxed(boxOf(this.#drag.start, at));
        break;
      case 'period':
        this.#stage.boxed(this.#columnsOf(this.#drag.start, at));
        break;
    }
    this.#stage.pointed(this.#drag.kind === 'pan' ? undefined : at);
  }

  up(event: PointerEvent): void {
    const drag = this.#drag;
    const at = this.point(event);
    this.cancel();
    if (drag.kind === 'pressed') this.#stage.clicked(at);
    if (drag.kind === 'box') this.#box(boxOf(drag.start, at));
    if (drag.kind === 'period') this.#stage.spanned(ordered(drag.start.x, at.x));
  }

  cancel(): void {
    this.#drag = { kind: 'none' };
    this.#stage.host.classList.remove('is-panning');
    this.#stage.boxed(undefined);
  }

  wheel(event: WheelEvent): void {
    const view = this.#stage.view();
    if (view === undefined) return;
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
    const at = this.point(event);
    const isLeft = at.x < view.frame.plot.left;
    const factor = Math.exp(dy * WHEEL_SPEED);
    if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) {
      this.#slide(view, event.shiftKey && dx === 0 ? dy : dx);
    } else if (event.ctrlKey || isLeft) {
      this.#stage.send({ kind: 'zoom-y', at: unapply(view.toY, at.y), factor, y: view.y });
    } else {
      this.#stage.send({ kind: 'zoom-x', at: unapply(view.toX, at.x), factor });
    }
  }

  #slide(view: View, css: number): void {
    const pixels = Math.round(css * view.frame.scale);
    this.#stage.send({ kind: 'pan-x', by: (pixels * length(view.x)) / view.frame.plot.width });
  }

  #pressed({ start, pointer, isPeriod }: Drag & { readonly kind: 'pressed' }, at: Point): void {
    const scale = this.#stage.view()?.frame.scale ?? 1;
    if (Math.hypot(at.x - start.x, at.y - start.y) < CLICK_PX * scale) return;
    this.#stage.host.setPointerCapture(pointer);
    if (isPeriod) {
      this.#drag = { kind: 'period', start, pointer };
      this.#stage.boxed(this.#columnsOf(start, at));
      return;
    }
    if (this.#stage.shared().mode === 'box') {
      this.#drag = { kind: 'box', start, pointer };
      this.#stage.boxed(boxOf(start, at));
      return;
    }
    this.#stage.host.classList.add('is-panning');
    this.#pan(start, pointer, at);
  }

  /** Moves by whole device pixels; what is left over counts for the next move. */
  #pan(last: Point, pointer: number, at: Point): void {
    const view = this.#stage.view();
    if (view === undefined) return;
    const dx = Math.round(at.x - last.x);
    const dy = Math.round(at.y - last.y);
    const { plot } = view.frame;
    this.#drag = { kind: 'pan', last: { x: last.x + dx, y: last.y + dy }, pointer };
    if (dx !== 0) this.#stage.send({ kind: 'pan-x', by: (-dx * length(view.x)) / plot.width });
    if (dy !== 0) this.#stage.send({ kind: 'pan-y', by: (dy * length(view.y)) / plot.height });
  }

  /** All of the plot's height between two places. */
  #columnsOf(start: Point, at: Point): Box {
    const plot = this.#stage.view()?.frame.plot;
    const [top, height] = [plot?.top ?? 0, plot?.height ?? 0];
    return { x: ordered(start.x, at.x), y: { from: top, to: top + height } };
  }

  #box(box: Box): void {
    const view = this.#stage.view();
    if (view === undefined) return;
    const x = ordered(unapply(view.toX, box.x.from), unapply(view.toX, box.x.to));
    const y = ordered(unapply(view.toY, box.y.from), unapply(view.toY, box.y.to));
    this.#stage.send({ kind: 'box', x, y });
  }
}

const boxOf = (a: Point, b: Point): Box => ({ x: ordered(a.x, b.x), y: ordered(a.y, b.y) });
