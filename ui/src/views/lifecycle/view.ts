import type { Frames } from '../../base/frames';
import { apply, clamp, sameSpan, unapply, type Span } from '../../base/span';
import type { Load } from '../../base/load';
import type { Readable, Store } from '../../base/store';
import { watchSize, type Size } from '../../base/surface';
import { context2d } from '../../draw/canvas';
import { layerFor, type Drawing } from '../../draw/choose';
import { place, type BandLayer, type Paint, type Placed, type Placement } from '../../draw/layer';
import { Pick } from '../../draw/pick';
import type { Theme } from '../../draw/theme';
import type { Bookmark } from '../../state/bookmark';
import type { Found } from '../../state/found';
import { NO_HOVER, type Hover, type Reading, type Target } from '../../state/hover';
import {
  comparedAt,
  cursorAt,
  extent,
  linesOf,
  middleOf,
  NO_SELECTION,
  periodAt,
  selectedBlock,
  shown,
  type FitReserved,
  type Shared,
} from '../../state/shared';
import type { Intent } from '../../state/update';
import type { Engine } from '../../wire/engine';
import type { WireError } from '../../wire/known';
import { accessesOf } from './accesses';
import { drawGrid, type View } from './axes';
import { Ease } from './ease';
import { Feed } from './feed';
import { frameOf, MOST_ROWS, xMap, yMap } from './frame';
import { listen, type Box, type Point } from './gestures';
import { autoHeight, mostIn, type Most } from './height';
import { marksOf, seenMarks, type GrowthMark, type SeenMark } from './marks';
import { drawOver } from './over';
import { flagsOf } from './flags';
import { isInPlot, readingAt, seenBands, targetAt, type Seen } from './reading';

/** What the view is given. */
export interface Means {
  readonly engine: Engine;
  readonly frames: Frames;
  readonly shared: Readable<Shared>;
  readonly theme: Readable<Theme>;
  readonly hover: Store<Hover>;
  /** Where the pointer is on the axis while it is over another view. */
  readonly pointer: Readable<number | undefined>;
  /** What the cursor reads, while the pointer is elsewhere. */
  readonly reading: Store<Reading | undefined>;
  /** The height that several pictures have in common. */
  readonly scale?: CommonHeight | undefined;
  /** What is known about the selection. */
  readonly details: Readable<Load<Found, WireError>>;
  readonly bookmarks: Readable<readonly Bookmark[]>;
  readonly send: (intent: Intent) => void;
  readonly failed: (error: unknown) => void;
}

/** A height for several pictures. */
export interface CommonHeight {
  /** Tells when it changes. */
  readonly changed: Readable<unknown>;
  /** The height for a picture that shows `most`; nothing while each has its own. */
  want(most: Most, fit: FitReserved): Span | undefined;
}

interface Drawn {
  readonly placed: Placed;
  readonly pick: Pick;
  readonly paint: Paint;
}

/** The lifecycle picture: bands over the axis, moved at once and asked for meanwhile. */
export class LifecycleView {
  readonly #host: HTMLElement;
  readonly #means: Means;
  readonly #feed: Feed;
  readonly #under: HTMLCanvasElement;
  readonly #over: HTMLCanvasElement;
  readonly #crosshair: HTMLElement;
  readonly #ends: (() => void)[] = [];
  readonly #height: Ease;
  #layer: BandLayer;
  #size: Size | undefined;
  #rows = 0;
  #device = -1;
  #view: View | undefined;
  #placement: Placement | undefined;
  #drawn: Drawn | undefined;
  #most: Most | undefined;
  #marks: readonly GrowthMark[] = [];
  #pointer: Point | undefined;
  #box: Box | undefined;

  constructor(host: HTMLElement, drawing: Drawing, means: Means) {
    this.#host = host;
    this.#means = means;
    this.#height = new Ease({ from: 0, to: extent(means.shared.get()).top });
    this.#feed = new Feed(means.engine, this.#redraw, means.failed);
    const document = host.ownerDocument;
    this.#under = document.createElement('canvas');
    this.#over = document.createElement('canvas');
    this.#crosshair = document.createElement('div');
    this.#crosshair.className = 'crosshair';
    this.#over.dataset.testid = 'lifecycle-canvas';
    this.#layer = layerFor(drawing, document, this.#lost);
    host.append(this.#under, this.#layer.canvas, this.#over, this.#crosshair);
    this.#ends.push(
      means.shared.subscribe(this.#redraw),
      means.theme.subscribe(this.#redraw),
      means.pointer.subscribe(this.#redraw),
      means.details.subscribe(this.#redraw),
      means.bookmarks.subscribe(this.#redraw),
      means.scale?.changed.subscribe(this.#redraw) ?? (() => undefined),
      watchSize(host, this.#resized),
      listen({
        host,
        view: () => this.#view,
        shared: () => means.shared.get(),
        send: means.send,
        pointed: (at) => {
          this.#pointed(at);
        },
        clicked: (at) => {
          this.#clicked(at);
        },
        doubleClicked: (at) => {
          this.#doubleClicked(at);
        },
        boxed: (box) => {
          this.#boxed(box);
        },
        spanned: (span) => {
          this.#spanned(span);
        },
      }),
    );
  }

  /** Which way the bands are drawn. */
  get drawing(): Drawing {
    return this.#layer.name;
  }

  /** The bands on the screen in CSS pixels of the window, the largest first. */
  bands(): readonly Seen[] {
    if (this.#drawn === undefined || this.#placement === undefined || this.#view === undefined)
      return [];
    const { left, top } = this.#host.getBoundingClientRect();
    const { scale } = this.#view.frame;
    return seenBands(this.#drawn.placed, this.#placement, this.#view).map((seen) => ({
      ...seen,
      x: left + seen.x / scale,
      y: top + seen.y / scale,
    }));
  }

  /** Where the selected segment grew or shrank, CSS pixels of the window. */
  marks(): readonly SeenMark[] {
    if (this.#view === undefined) return [];
    const { left, top } = this.#host.getBoundingClientRect();
    const { scale } = this.#view.frame;
    const seen = seenMarks(this.#view, this.#marks);
    return seen.map((mark) => ({ ...mark, x: left + mark.x / scale, y: top + mark.y / scale }));
  }

  destroy(): void {
    for (const end of this.#ends) end();
    this.#feed.stop();
    this.#means.frames.cancel(this.#draw);
    this.#layer.dispose();
    this.#host.replaceChildren();
    this.#means.hover.set(NO_HOVER);
  }

  readonly #redraw = (): void => {
    this.#means.frames.request(this.#draw);
  };

  readonly #resized = (size: Size): void => {
    this.#size = size;
    for (const canvas of [this.#under, this.#over]) {
      canvas.width = size.width;
      canvas.height = size.height;
    }
    this.#layer.resize(size.width, size.height);
    this.#redraw();
  };

  /** WebGL was taken away: go on with the raster. */
  readonly #lost = (): void => {
    const next = layerFor('raster', this.#host.ownerDocument, () => undefined);
    this.#layer.canvas.replaceWith(next.canvas);
    this.#layer = next;
    this.#drawn = undefined;
    if (this.#size !== undefined) next.resize(this.#size.width, this.#size.height);
    this.#redraw();
  };

  readonly #draw = (now: number): void => {
    if (this.#size === undefined) return;
    const shared = this.#means.shared.get();
    this.#countRows(shared);
    const frame = frameOf(this.#size, this.#rows);
    const x = shown(shared);
    const placed = this.#feed.placed(shared);
    const target = this.#targetHeight(shared, placed, x);
    const y = this.#height.towards(
      target,
      now,
      placed === undefined || shared.height.kind === 'chosen',
    );
    this.#feed.want(shared, x, target, frame);
    const theme = this.#means.theme.get();
    const view = {
      frame,
      theme,
      axis: shared.axis,
      x,
      y,
      toX: xMap(frame, x),
      toY: yMap(frame, y),
    };
    this.#view = view;
    this.#drawUnder(view);
    this.#drawBands(view, shared, placed);
    this.#drawOver(view, shared);
    this.#host.classList.toggle('is-boxing', shared.mode !== 'pan');
    this.#point();
    if (!sameSpan(y, target)) this.#redraw();
  };

  /** Rows of named ranges only grow while a device is shown, so that the plot does not jump. */
  #countRows(shared: Shared): void {
    if (shared.device !== this.#device) this.#rows = 0;
    this.#device = shared.device;
    for (const range of this.#feed.ranges(shared)) {
      this.#rows = Math.max(this.#rows, Math.min(MOST_ROWS, range.depth + 1));
    }
  }

  #targetHeight(shared: Shared, placed: Placed | undefined, x: Span): Span {
    this.#most = placed && (mostIn(placed, x) ?? this.#most);
    if (shared.height.kind === 'chosen') return shared.height.span;
    if (this.#most === undefined) return this.#height.target;
    const fit = linesOf(shared).reserved ? shared.fitReserved : 'never';
    const common = this.#means.scale?.want(this.#most, fit);
    return common ?? autoHeight(this.#most, fit, this.#height.target);
  }

  #drawUnder(view: View): void {
    const context = context2d(this.#under);
    context.clearRect(0, 0, view.frame.width, view.frame.height);
    drawGrid(context, view);
  }

  #drawBands(view: View, shared: Shared, placed: Placed | undefined): void {
    if (placed === undefined) {
      this.#placement = undefined;
      this.#drawn = undefined;
      this.#layer.clear();
      return;
    }
    const paint = this.#paint(shared, view.theme);
    if (this.#drawn?.placed !== placed) {
      this.#layer.load(placed, paint);
      this.#drawn = { placed, pick: new Pick(placed), paint };
    } else if (!isSamePaint(this.#drawn.paint, paint)) {
      this.#layer.load(placed, paint);
      this.#drawn = { ...this.#drawn, paint };
    }
    this.#placement = place(placed, view.x, view.y, view.frame.plot);
    this.#layer.paint(this.#placement, view.frame.plot);
  }

  #paint(shared: Shared, theme: Theme): Paint {
    return {
      scheme: { kind: shared.color === 'size' ? 'size' : 'category', tone: theme.tone },
      theme,
      selected: selectedBlock(shared),
    };
  }

  #drawOver(view: View, shared: Shared): void {
    const hover = this.#means.hover.get();
    const context = context2d(this.#over);
    context.clearRect(0, 0, view.frame.width, view.frame.height);
    this.#marks = marksOf(shared, this.#means.details.get());
    const { peak } = extent(shared);
    const peakAt = middleOf(shared, peak);
    const lines = linesOf(shared);
    const reserved = lines.reserved ? (this.#most?.reserved ?? 0) : 0;
    drawOver(context, view, {
      picture: this.#drawn &&
        this.#placement && { placed: this.#drawn.placed, placement: this.#placement },
      ranges: this.#feed.ranges(shared),
      selected: selectedBlock(shared),
      hovered: hover.kind === 'at' && hover.target.kind === 'band' ? hover.target.block : undefined,
      peak: peakAt === undefined ? undefined : { at: peakAt, bytes: peak.bytes },
      reservedAbove: reserved > view.y.to ? reserved : undefined,
      above: extent(shared).track === undefined ? 'lifecycle.above' : 'dump.above',
      lines,
      cursor: cursorAt(shared),
      compared: comparedAt(shared),
      period: periodAt(shared),
      box: this.#box,
      marks: this.#marks,
      flags: flagsOf(shared, this.#means.bookmarks.get()),
      accesses: accessesOf(shared, this.#means.details.get()),
    });
    this.#readCursor(view, shared);
  }

  #readCursor(view: View, shared: Shared): void {
    const cursor = cursorAt(shared);
    const isShown = cursor !== undefined && cursor >= view.x.from && cursor <= view.x.to;
    this.#means.reading.set(
      isShown ? this.#readingAt(view, shared, apply(view.toX, cursor)) : undefined,
    );
  }

  #readingAt(view: View, shared: Shared, pixel: number): Reading | undefined {
    if (this.#drawn === undefined || this.#placement === undefined) return undefined;
    return readingAt(this.#drawn.placed, this.#placement, view, this.#feed.ranges(shared), pixel);
  }

  #pointed(at: Point | undefined): void {
    this.#pointer = at;
    const before = this.#means.hover.get();
    this.#point();
    if (blockOf(before) !== blockOf(this.#means.hover.get())) this.#redraw();
  }

  /** Looks again at what is under the pointer: it moved, or the picture did. */
  #point(): void {
    const [at, view, drawn, placement] = [this.#pointer, this.#view, this.#drawn, this.#placement];
    if (at === undefined || view === undefined || drawn === undefined || placement === undefined) {
      this.#pointElsewhere(view);
      this.#means.hover.set(NO_HOVER);
      return;
    }
    const shared = this.#means.shared.get();
    const { plot, scale } = view.frame;
    const isOver =
      at.x >= plot.left && at.x <= plot.left + plot.width && at.y <= plot.top + plot.height;
    this.#crosshair.hidden = !isOver;
    this.#crosshair.style.transform = `translateX(${(Math.round(at.x) / scale).toString()}px)`;
    this.#means.hover.set({
      kind: 'at',
      left: at.x / scale,
      top: at.y / scale,
      target: this.#targetAt(drawn, placement, view, at),
      reading: isOver
        ? this.#readingAt(view, shared, clamp(at.x, plot.left, plot.left + plot.width - 1))
        : undefined,
    });
  }

  #targetAt(drawn: Drawn, placement: Placement, view: View, at: Point): Target {
    const ranges = this.#feed.ranges(this.#means.shared.get());
    return targetAt(drawn.placed, drawn.pick, placement, view, ranges, this.#marks, at);
  }

  /** Marks the place under a pointer that is over another view. */
  #pointElsewhere(view: View | undefined): void {
    const at = this.#means.pointer.get();
    const isShown = view !== undefined && at !== undefined && at >= view.x.from && at <= view.x.to;
    this.#crosshair.hidden = !isShown;
    if (!isShown) return;
    const left = Math.round(apply(view.toX, at)) / view.frame.scale;
    this.#crosshair.style.transform = `translateX(${left.toString()}px)`;
  }

  #clicked(at: Point): void {
    this.#pointed(at);
    const hover = this.#means.hover.get();
    if (this.#view === undefined || hover.kind !== 'at') return;
    const { reading, target } = hover;
    if (target.kind === 'growth') {
      this.#means.send({ kind: 'cursor', event: target.changes[0]?.at });
      return;
    }
    if (!isInPlot(this.#view, at)) return;
    this.#means.send({
      kind: 'select',
      selection: target.kind === 'band' ? { kind: 'block', block: target.block } : NO_SELECTION,
      wanted: 'nothing',
    });
    if (reading === undefined) return;
    this.#means.send({ kind: 'cursor', event: { event: reading.event, time_us: undefined } });
  }

  #doubleClicked(at: Point): void {
    this.#pointed(at);
    const hover = this.#means.hover.get();
    if (hover.kind !== 'at') return;
    if (hover.target.kind === 'band') {
      const selection = { kind: 'block', block: hover.target.block } as const;
      this.#means.send({ kind: 'select', selection, wanted: 'fit' });
    } else if (hover.target.kind === 'range') {
      const { from, to } = hover.target.range;
      const x = shown(this.#means.shared.get());
      const [left, right] = [from ?? x.from, to ?? x.to];
      const margin = (right - left) * 0.03;
      this.#means.send({ kind: 'show', x: { from: left - margin, to: right + margin } });
    }
  }

  /** Selects the events between two pixels. */
  #spanned(pixels: Span): void {
    const view = this.#view;
    if (view === undefined) return;
    const shared = this.#means.shared.get();
    const [left, right] = [this.#eventAt(view, pixels.from), this.#eventAt(view, pixels.to)];
    const last = extent(shared).events - 1;
    if (left === undefined || right === undefined || last < 0) return;
    const from = clamp(left + 1, 0, last);
    const to = clamp(right, from, last);
    const selection = { kind: 'period', from, to, time: undefined } as const;
    this.#means.send({ kind: 'select', selection, wanted: 'nothing' });
    this.#means.send({ kind: 'mode', mode: 'pan' });
  }

  /** The event right after which it is at a pixel. */
  #eventAt(view: View, pixel: number): number | undefined {
    const { plot } = view.frame;
    const inside = clamp(pixel, plot.left, plot.left + plot.width - 1);
    if (view.axis === 'event') return Math.floor(unapply(view.toX, inside));
    return this.#readingAt(view, this.#means.shared.get(), inside)?.event;
  }

  #boxed(box: Box | undefined): void {
    if (this.#box === undefined && box === undefined) return;
    this.#box = box;
    this.#redraw();
  }
}

const blockOf = (hover: Hover): number | undefined =>
  hover.kind === 'at' && hover.target.kind === 'band' ? hover.target.block : undefined;

const isSamePaint = (a: Paint, b: Paint): boolean =>
  a.theme === b.theme && a.selected === b.selected && a.scheme.kind === b.scheme.kind;
