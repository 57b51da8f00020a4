import type { Frames } from '../../base/frames';
import { Latest } from '../../base/latest';
import { apply, clamp, length, unapply, type Span } from '../../base/span';
import type { Readable, Store } from '../../base/store';
import { watchSize, type Size } from '../../base/surface';
import { context2d } from '../../draw/canvas';
import { layerFor, type Drawing } from '../../draw/choose';
import { place, type BandLayer, type Placed, type Placement } from '../../draw/layer';
import { Pick } from '../../draw/pick';
import type { Theme } from '../../draw/theme';
import { bounds, cursorAt, shown, type Shared } from '../../state/shared';
import type { Intent } from '../../state/update';
import type { Flame, FlameEngine, FlameQuestion, Thread } from '../../wire/flame';
import { depthSpan, isInPlot, mostScroll, plotOf, rowPxOf, xMap, type View } from './frame';
import { listenTo, type Point } from './gestures';
import { drawAt, drawDepths, drawEdge, drawHits, drawNames, drawSelected, drawTime } from './paint';
import { flameQuestion, isEnough, placedOf, type Look } from './question';

/** What lies under the pointer. */
export interface FlameHover {
  /** CSS pixels from the picture's top left corner. */
  readonly left: number;
  readonly top: number;
  /** The call, or the longest of several. */
  readonly slice: number;
  /** How many calls the rectangle stands for. */
  readonly calls: number;
  /** How many of those are hits. */
  readonly hits: number;
}

/** What the view is given. */
export interface FlameMeans {
  readonly engine: FlameEngine;
  readonly frames: Frames;
  readonly shared: Readable<Shared>;
  readonly theme: Readable<Theme>;
  readonly hover: Store<FlameHover | undefined>;
  /** Where the pointer is on the time axis, over whichever view. */
  readonly pointer: Store<number | undefined>;
  /** Calls that share their pixels in the scene that is shown. */
  readonly crowded: Store<number>;
  readonly send: (intent: Intent) => void;
  /** A call was clicked, or the ground. */
  readonly chosen: (slice: number | undefined, isFit: boolean) => void;
  readonly failed: (error: unknown) => void;
}

/** A rectangle on the screen, CSS pixels of the window; for tests. */
export interface SeenCall {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly depth: number;
  readonly slice: number;
  readonly calls: number;
  readonly hits: number;
}

interface Answered {
  readonly question: FlameQuestion;
  readonly flame: Flame;
  readonly placed: Placed;
  readonly pick: Pick;
  readonly rowPx: number;
}

/** The calls of one thread over time; moved at once, asked for meanwhile. */
export class FlameView {
  readonly #host: HTMLElement;
  readonly #means: FlameMeans;
  readonly #layer: BandLayer;
  readonly #over: HTMLCanvasElement;
  readonly #flames: Latest<FlameQuestion, Flame>;
  readonly #ends: (() => void)[] = [];
  #look: Look | undefined;
  #thread: Thread | undefined;
  #size: Size | undefined;
  #scroll = 0;
  #asked: FlameQuestion | undefined;
  #answered: Answered | undefined;
  #painted: { readonly answered: Answered; readonly theme: Theme } | undefined;
  #view: View | undefined;
  #placement: Placement | undefined;
  #pointer: Point | undefined;

  constructor(host: HTMLElement, drawing: Drawing, means: FlameMeans) {
    this.#host = host;
    this.#means = means;
    this.#over = host.ownerDocument.createElement('canvas');
    this.#over.dataset.testid = 'flame-canvas';
    this.#layer = layerFor(drawing, host.ownerDocument, this.#redraw);
    host.append(this.#layer.canvas, this.#over);
    this.#flames = new Latest(
      (question) => means.engine.flame(question),
      (flame, question) => {
        this.#arrived(flame, question);
      },
      means.failed,
    );
    this.#ends.push(
      means.shared.subscribe(this.#redraw),
      means.theme.subscribe(this.#redraw),
      means.pointer.subscribe(this.#redraw),
      watchSize(host, this.#resized),
      this.#listen(),
    );
  }

  /** Shows that thread in that way. */
  look(look: Look, thread: Thread): void {
    if (this.#look?.thread !== look.thread) this.#scroll = 0;
    this.#look = look;
    this.#thread = thread;
    this.#redraw();
  }

  /** Scrolls until a depth is seen. */
  reveal(depth: number): void {
    const view = this.#view;
    if (view === undefined) return;
    const top = depth * view.rowPx;
    const least = top + view.rowPx - view.plot.height;
    if (this.#scroll > top || this.#scroll < least) this.#scroll = top - view.plot.height / 2;
    this.#redraw();
  }

  /** The rectangles on the screen, the widest first; for tests. */
  calls(): readonly SeenCall[] {
    const [view, answered, placement] = [this.#view, this.#answered, this.#placement];
    if (view === undefined || answered === undefined || placement === undefined) return [];
    const { left, top } = this.#host.getBoundingClientRect();
    const { scale } = view.size;
    const { flame, placed } = answered;
    const seen: SeenCall[] = [];
    for (let row = 0; row < flame.count; row += 1) {
      const from = Math.max(view.plot.left, apply(placement.x, placed.scene.bands.x0[row] ?? 0));
      const right = apply(placement.x, placed.scene.bands.x1[row] ?? 0);
      const to = Math.min(view.plot.left + view.plot.width, right);
      const y = apply(placement.y, placed.scene.bands.top[row] ?? 0) + view.rowPx / 2;
      if (to - from < 1 || y < 0 || y > view.plot.height) continue;
      seen.push({
        x: left + (from + to) / 2 / scale,
        y: top + y / scale,
        width: (to - from) / scale,
        depth: flame.depth[row] ?? 0,
        slice: flame.slice[row] ?? 0,
        calls: flame.calls[row] ?? 0,
        hits: flame.hits[row] ?? 0,
      });
    }
    return seen.sort((a, b) => b.width - a.width);
  }

  destroy(): void {
    for (const end of this.#ends) end();
    this.#flames.drop();
    this.#means.frames.cancel(this.#draw);
    this.#layer.dispose();
    this.#host.replaceChildren();
    this.#means.hover.set(undefined);
    this.#means.pointer.set(undefined);
  }

  readonly #redraw = (): void => {
    this.#means.frames.request(this.#draw);
  };

  readonly #resized = (size: Size): void => {
    this.#size = size;
    this.#over.width = size.width;
    this.#over.height = size.height;
    this.#layer.resize(size.width, size.height);
    this.#redraw();
  };

  #arrived(flame: Flame, question: FlameQuestion): void {
    if (question.thread !== this.#look?.thread || this.#size === undefined) return;
    const rowPx = rowPxOf(this.#size);
    const placed = placedOf(question, flame, rowPx);
    this.#answered = { question, flame, placed, pick: new Pick(placed), rowPx };
    this.#means.crowded.set(flame.crowded);
    this.#redraw();
  }

  readonly #draw = (): void => {
    const shared = this.#means.shared.get();
    const view = this.#viewOf(shared);
    this.#view = view;
    const look = this.#look;
    if (view === undefined || look === undefined) return;
    this.#ask(look, view, bounds(shared));
    const answered = this.#answered;
    const isShown = answered?.question.thread === look.thread && answered.rowPx === view.rowPx;
    this.#placement = isShown
      ? place(answered.placed, view.x, depthSpan(view), view.plot)
      : undefined;
    this.#drawCalls(view);
    this.#drawOver(view, shared);
    this.#point();
  };

  #viewOf(shared: Shared): View | undefined {
    const [size, thread] = [this.#size, this.#thread];
    if (size === undefined || thread === undefined || shared.axis !== 'time') return undefined;
    const plot = plotOf(size);
    const rowPx = rowPxOf(size);
    this.#scroll = clamp(this.#scroll, 0, mostScroll(plot, rowPx, thread.depths));
    const x = shown(shared);
    const theme = this.#means.theme.get();
    return { size, plot, theme, x, toX: xMap(plot, x), rowPx, scroll: Math.round(this.#scroll) };
  }

  #ask(look: Look, view: View, whole: Span): void {
    const next = flameQuestion(look, view, whole);
    if (this.#asked !== undefined && isEnough(this.#asked, next, view)) return;
    this.#asked = next;
    this.#flames.put(next);
  }

  #drawCalls(view: View): void {
    const [answered, placement] = [this.#answered, this.#placement];
    if (answered === undefined || placement === undefined) {
      this.#layer.clear();
      return;
    }
    const { theme } = view;
    if (this.#painted?.answered !== answered || this.#painted.theme !== theme) {
      const scheme = { kind: 'category', tone: theme.tone } as const;
      this.#layer.load(answered.placed, { scheme, theme, selected: undefined });
      this.#painted = { answered, theme };
    }
    this.#layer.paint(placement, view.plot);
  }

  #drawOver(view: View, shared: Shared): void {
    const context = context2d(this.#over);
    context.clearRect(0, 0, view.size.width, view.size.height);
    drawDepths(context, view, this.#thread?.depths ?? 0);
    context.save();
    context.beginPath();
    context.rect(view.plot.left, 0, view.plot.width, view.plot.height);
    context.clip();
    const [answered, placement] = [this.#answered, this.#placement];
    if (answered !== undefined && placement !== undefined) {
      drawNames(context, view, answered, placement);
      drawHits(context, view, answered, placement);
      const row = this.#rowAt(this.#pointer);
      if (row !== undefined) drawEdge(context, view, answered, placement, row);
      drawSelected(context, view, answered, placement);
    }
    const cursor = cursorAt(shared);
    if (cursor !== undefined) drawAt(context, view, cursor, view.theme.accent);
    const pointer = this.#means.pointer.get();
    if (pointer !== undefined) {
      drawAt(context, view, pointer, view.theme.ink3);
      drawTime(context, view, pointer);
    }
    context.restore();
  }

  /** The rectangle under a pixel. */
  #rowAt(at: Point | undefined): number | undefined {
    const [view, answered, placement] = [this.#view, this.#answered, this.#placement];
    if (at === undefined || view === undefined) return undefined;
    if (answered === undefined || placement === undefined) return undefined;
    if (!isInPlot(view.plot, at)) return undefined;
    return answered.pick.at(unapply(placement.x, at.x), unapply(placement.y, at.y));
  }

  /** Looks again at what is under the pointer: it moved, or the picture did. */
  #point(): void {
    const [at, view] = [this.#pointer, this.#view];
    const row = this.#rowAt(at);
    const flame = this.#answered?.flame;
    if (at === undefined || view === undefined || row === undefined || flame === undefined) {
      this.#means.hover.set(undefined);
      return;
    }
    const { scale } = view.size;
    this.#means.hover.set({
      left: at.x / scale,
      top: at.y / scale,
      slice: flame.slice[row] ?? 0,
      calls: flame.calls[row] ?? 1,
      hits: flame.hits[row] ?? 0,
    });
  }

  #listen(): () => void {
    return listenTo({
      host: this.#host,
      scale: () => this.#size?.scale ?? 1,
      pointed: (at) => {
        this.#pointed(at);
      },
      clicked: (at) => {
        this.#clicked(at, false);
      },
      doubleClicked: (at) => {
        this.#clicked(at, true);
      },
      dragged: (by) => {
        this.#dragged(by);
      },
      zoomed: (at, factor) => {
        this.#zoomed(at, factor);
      },
      scrolled: (by) => {
        this.#scrolled(by);
      },
      isBeside: (at) => at.x < (this.#view?.plot.left ?? 0),
    });
  }

  #pointed(at: Point | undefined): void {
    const view = this.#view;
    this.#pointer = at;
    const isOver = at !== undefined && view !== undefined && isInPlot(view.plot, at);
    this.#means.pointer.set(isOver ? unapply(view.toX, at.x) : undefined);
    this.#point();
    this.#redraw();
  }

  #clicked(at: Point, isFit: boolean): void {
    const view = this.#view;
    if (view === undefined || !isInPlot(view.plot, at)) return;
    const row = this.#rowAt(at);
    const slice = row === undefined ? undefined : this.#answered?.flame.slice[row];
    this.#means.chosen(slice, isFit);
  }

  #dragged(by: Point): void {
    const view = this.#view;
    if (view === undefined) return;
    const { plot, x } = view;
    if (by.x !== 0) this.#means.send({ kind: 'pan-x', by: (-by.x * length(x)) / plot.width });
    if (by.y !== 0) this.#scrolled(-by.y);
  }

  #zoomed(at: Point, factor: number): void {
    const view = this.#view;
    if (view === undefined) return;
    this.#means.send({ kind: 'zoom-x', at: unapply(view.toX, at.x), factor });
  }

  #scrolled(by: number): void {
    this.#scroll += by;
    this.#redraw();
  }
}
