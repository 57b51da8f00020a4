import type { Frames } from '../../base/frames';
import { Latest } from '../../base/latest';
import { clamp, fitted, length, moved, ordered, unapply, zoomed, type Span } from '../../base/span';
import type { Readable, Store } from '../../base/store';
import { watchSize, type Size } from '../../base/surface';
import { context2d } from '../../draw/canvas';
import { place, type Paint, type Placement } from '../../draw/layer';
import { Pick } from '../../draw/pick';
import { RasterLayer } from '../../draw/raster';
import type { Theme } from '../../draw/theme';
import {
  cursorAt,
  extent,
  NO_SELECTION,
  periodAt,
  selectedBlock,
  shown,
  type Selection,
  type Shared,
  type Wanted,
} from '../../state/shared';
import type { Intent } from '../../state/update';
import type { Engine } from '../../wire/engine';
import type { AddressMap, AddressMapQuestion, LaneList, LaneOrder } from '../../wire/map';
import { Columned } from './columns';
import { isInPlot, plotOf, xMap, yMap, type View } from './frame';
import { listenTo, type Box } from './gestures';
import { laneOf } from './lanes';
import type { MapLook, MapLooks } from './look';
import { drawAt, drawBox, drawEdges, drawGround, drawLabels, drawLane, drawOutline } from './paint';
import { isEnough, isOf, mapQuestion, placedOf } from './question';
import {
  eventAt,
  NO_MAP_HOVER,
  seenBlocks,
  targetAt,
  type Drawn,
  type MapHover,
  type Point,
  type Seen,
} from './reading';

/** What the view is given. */
export interface MapMeans {
  readonly engine: Engine;
  readonly frames: Frames;
  readonly shared: Readable<Shared>;
  readonly theme: Readable<Theme>;
  readonly looks: MapLooks;
  readonly hover: Store<MapHover>;
  /** The lanes that are drawn. */
  readonly shownLanes: Store<LaneList | undefined>;
  readonly send: (intent: Intent) => void;
  readonly failed: (error: unknown) => void;
}

interface LanesQuestion {
  readonly session: number;
  readonly device: number;
  readonly order: LaneOrder;
}

interface Answered {
  readonly question: AddressMapQuestion;
  readonly drawn: Drawn;
}

/** The fewest bytes worth showing. */
const LEAST_BYTES = 4096;

/** Segments as lanes over the axis, blocks at their addresses; moved at once, asked for meanwhile. */
export class MapView {
  readonly #host: HTMLElement;
  readonly #means: MapMeans;
  readonly #ground: HTMLCanvasElement;
  readonly #image: HTMLCanvasElement;
  readonly #layer: RasterLayer;
  readonly #over: HTMLCanvasElement;
  readonly #lanesAsked: Latest<LanesQuestion, LaneList>;
  readonly #maps: Latest<AddressMapQuestion, AddressMap>;
  readonly #ends: (() => void)[] = [];
  #size: Size | undefined;
  #lanesOf: LanesQuestion | undefined;
  #lanes: LaneList | undefined;
  #asked: AddressMapQuestion | undefined;
  #answered: Answered | undefined;
  #painted: { readonly drawn: Drawn; readonly paint: Paint } | undefined;
  #view: View | undefined;
  #placement: Placement | undefined;
  #pointer: Point | undefined;
  #box: Box | undefined;

  constructor(host: HTMLElement, means: MapMeans) {
    this.#host = host;
    this.#means = means;
    const document = host.ownerDocument;
    this.#ground = document.createElement('canvas');
    this.#image = document.createElement('canvas');
    this.#over = document.createElement('canvas');
    this.#over.dataset.testid = 'map-canvas';
    this.#layer = new RasterLayer(document);
    host.append(this.#ground, this.#layer.canvas, this.#over);
    this.#lanesAsked = new Latest(
      ({ session, device, order }) => means.engine.lanes(session, device, order),
      (lanes, question) => {
        if (question !== this.#lanesOf) return;
        this.#lanes = lanes;
        means.shownLanes.set(lanes);
        this.#redraw();
      },
      means.failed,
    );
    this.#maps = new Latest(
      (question) => means.engine.addressMap(question),
      (map, question) => {
        const placed = placedOf(question, map);
        const holes = new Columned(map.holes, map.edge, map.columns);
        this.#answered = { question, drawn: { map, placed, pick: new Pick(placed), holes } };
        this.#redraw();
      },
      means.failed,
    );
    this.#ends.push(
      means.shared.subscribe(this.#redraw),
      means.theme.subscribe(this.#redraw),
      means.looks.all.subscribe(this.#redraw),
      watchSize(host, this.#resized),
      this.#listen(),
    );
  }

  /** Shows all addresses. */
  readonly fit = (): void => {
    this.#show(undefined);
  };

  /** The blocks on the screen in CSS pixels of the window, the largest first; for tests. */
  blocks(): readonly Seen[] {
    const [view, answered, placement] = [this.#view, this.#answered, this.#placement];
    if (view === undefined || answered === undefined || placement === undefined) return [];
    const { left, top } = this.#host.getBoundingClientRect();
    const { scale } = view.size;
    return seenBlocks(answered.drawn, placement, view).map(({ block, x, y }) => ({
      block,
      x: left + x / scale,
      y: top + y / scale,
    }));
  }

  destroy(): void {
    for (const end of this.#ends) end();
    this.#lanesAsked.drop();
    this.#maps.drop();
    this.#means.frames.cancel(this.#draw);
    this.#layer.dispose();
    this.#host.replaceChildren();
    this.#means.hover.set(NO_MAP_HOVER);
    this.#means.shownLanes.set(undefined);
  }

  readonly #redraw = (): void => {
    this.#means.frames.request(this.#draw);
  };

  readonly #resized = (size: Size): void => {
    this.#size = size;
    for (const canvas of [this.#ground, this.#over]) {
      canvas.width = size.width;
      canvas.height = size.height;
    }
    this.#layer.resize(size.width, size.height);
    this.#redraw();
  };

  readonly #draw = (): void => {
    const shared = this.#means.shared.get();
    this.#askLanes(shared);
    const view = this.#viewOf(shared);
    this.#view = view;
    if (view === undefined) {
      this.#placement = undefined;
      this.#clear();
      return;
    }
    this.#askMap(shared, view);
    const answered = this.#answered;
    const isShown = answered !== undefined && isOf(answered.question, shared, this.#look().order);
    if (!isShown) this.#answered = undefined;
    this.#placement = isShown ? place(answered.drawn.placed, view.x, view.y, view.plot) : undefined;
    this.#host.classList.toggle('is-boxing', shared.mode !== 'pan');
    this.#drawBlocks(view, shared);
    this.#drawOver(view, shared);
    this.#point();
  };

  #clear(): void {
    for (const canvas of [this.#ground, this.#over]) {
      context2d(canvas).clearRect(0, 0, canvas.width, canvas.height);
    }
    this.#layer.clear();
  }

  #askLanes({ session, device }: Shared): void {
    const before = this.#lanesOf;
    const { order } = this.#look();
    if (before?.device === device && before.order === order) return;
    this.#lanesOf = { session, device, order };
    this.#lanes = undefined;
    this.#means.shownLanes.set(undefined);
    this.#lanesAsked.put(this.#lanesOf);
  }

  #viewOf(shared: Shared): View | undefined {
    const [size, lanes] = [this.#size, this.#lanes];
    if (size === undefined || lanes === undefined || lanes.total <= 0) return undefined;
    const plot = plotOf(size);
    const x = shown(shared);
    const y = this.#look().y ?? { from: 0, to: lanes.total };
    const theme = this.#means.theme.get();
    const maps = { toX: xMap(plot, x), toY: yMap(plot, y) };
    return { size, plot, theme, axis: shared.axis, x, y, ...maps, lanes };
  }

  #askMap(shared: Shared, view: View): void {
    const next = mapQuestion(shared, view.x, view.y, view.plot, this.#look().order);
    if (this.#asked !== undefined && isEnough(this.#asked, next, shared, view.x)) return;
    this.#asked = next;
    this.#maps.put(next);
  }

  #drawBlocks(view: View, shared: Shared): void {
    const context = context2d(this.#ground);
    context.clearRect(0, 0, view.size.width, view.size.height);
    const [drawn, placement] = [this.#answered?.drawn, this.#placement];
    if (drawn === undefined || placement === undefined) {
      this.#layer.clear();
      return;
    }
    this.#load(drawn, {
      scheme: { kind: shared.color === 'size' ? 'size' : 'category', tone: view.theme.tone },
      theme: view.theme,
      selected: selectedBlock(shared),
    });
    const { x, y } = placement;
    const { width, height } = this.#image;
    context.save();
    clip(context, view);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#image, x.offset, y.offset, width * x.scale, height * y.scale);
    context.restore();
    this.#layer.paint(placement, view.plot);
  }

  /** Makes the two images of a map, unless they are there. */
  #load(drawn: Drawn, paint: Paint): void {
    const before = this.#painted;
    const isSameTheme = before?.drawn === drawn && before.paint.theme === paint.theme;
    const isSame =
      isSameTheme &&
      before.paint.selected === paint.selected &&
      before.paint.scheme.kind === paint.scheme.kind;
    if (isSame) return;
    if (!isSameTheme) {
      this.#image.width = drawn.placed.width;
      this.#image.height = drawn.placed.height;
      drawGround(context2d(this.#image), drawn.placed, drawn.map, paint.theme);
    }
    this.#layer.load(drawn.placed, paint);
    this.#painted = { drawn, paint };
  }

  #drawOver(view: View, shared: Shared): void {
    const context = context2d(this.#over);
    context.clearRect(0, 0, view.size.width, view.size.height);
    const { selection } = shared;
    const marked = selection.kind === 'segment' ? laneOf(view.lanes, selection.address) : undefined;
    context.save();
    clip(context, view);
    const [drawn, placement] = [this.#answered?.drawn, this.#placement];
    if (drawn !== undefined && placement !== undefined) {
      drawEdges(context, view, drawn.placed, placement, drawn.map);
      const selected = selectedBlock(shared);
      const hovered = blockOf(this.#means.hover.get());
      if (hovered !== undefined && hovered !== selected) {
        drawOutline(context, view, placement, drawn.map.blocks, hovered, false);
      }
      if (selected !== undefined) {
        drawOutline(context, view, placement, drawn.map.outline, selected, true);
      }
    }
    if (marked !== undefined) drawLane(context, view, marked);
    const period = periodAt(shared);
    for (const at of [cursorAt(shared), period?.from, period?.to]) {
      if (at !== undefined) drawAt(context, view, at);
    }
    if (this.#box !== undefined) drawBox(context, view, this.#box);
    context.restore();
    drawLabels(context, view, marked);
  }

  #listen(): () => void {
    return listenTo({
      host: this.#host,
      scale: () => this.#size?.scale ?? 1,
      pointed: (at) => {
        this.#pointer = at;
        const before = blockOf(this.#means.hover.get());
        this.#point();
        if (before !== blockOf(this.#means.hover.get())) this.#redraw();
      },
      clicked: (at) => {
        this.#clicked(at, 'reveal');
      },
      doubleClicked: (at) => {
        this.#clicked(at, 'fit');
      },
      dragged: (by) => {
        this.#dragged(by);
      },
      mode: () => this.#means.shared.get().mode,
      boxed: (box) => {
        if (box === undefined && this.#box === undefined) return;
        this.#box = box;
        this.#redraw();
      },
      framed: (box) => {
        this.#framed(box);
      },
      spanned: (x) => {
        this.#spanned(x);
      },
      zoomed: (at, factor, isBytes) => {
        this.#zoomed(at, factor, isBytes);
      },
    });
  }

  #targetAt(at: Point) {
    const [view, drawn, placement] = [this.#view, this.#answered?.drawn, this.#placement];
    if (view === undefined || drawn === undefined || placement === undefined) return undefined;
    return targetAt(drawn, placement, view, at);
  }

  /** Looks again at what is under the pointer: it moved, or the picture did. */
  #point(): void {
    const [at, view] = [this.#pointer, this.#view];
    if (at === undefined || view === undefined) {
      this.#means.hover.set(NO_MAP_HOVER);
      return;
    }
    const { scale } = view.size;
    const target = this.#targetAt(at);
    this.#means.hover.set({ kind: 'at', left: at.x / scale, top: at.y / scale, target });
  }

  #clicked(at: Point, wanted: Wanted): void {
    const { send } = this.#means;
    const view = this.#view;
    if (view === undefined || !isInPlot(view.plot, at)) return;
    const target = this.#targetAt(at);
    if (target === undefined || target.kind === 'nothing') {
      send({ kind: 'select', selection: NO_SELECTION, wanted: 'nothing' });
      return;
    }
    const selection: Selection =
      target.kind === 'block'
        ? { kind: 'block', block: target.block }
        : { kind: 'segment', address: target.address, after: target.event };
    send({ kind: 'cursor', event: { event: target.event, time_us: undefined } });
    send({ kind: 'select', selection, wanted });
  }

  #dragged(by: Point): void {
    const view = this.#view;
    if (view === undefined) return;
    const { plot, x, lanes } = view;
    const { y } = this.#look();
    if (by.x !== 0) this.#means.send({ kind: 'pan-x', by: (-by.x * length(x)) / plot.width });
    if (by.y === 0 || y === undefined) return;
    const next = moved(y, (by.y * length(y)) / plot.height);
    this.#show(fitted(next, { from: 0, to: lanes.total }, 0));
  }

  #zoomed(at: Point, factor: number, isBytes: boolean): void {
    const view = this.#view;
    if (view === undefined) return;
    const { plot, toX, toY, lanes } = view;
    if (!isBytes && at.x >= plot.left) {
      this.#means.send({ kind: 'zoom-x', at: unapply(toX, at.x), factor });
      return;
    }
    const whole = { from: 0, to: lanes.total };
    const place = clamp(unapply(toY, at.y), whole.from, whole.to);
    // Several turns may come before the next frame: each goes on from the one before.
    const next = zoomed(this.#look().y ?? whole, place, factor, whole, LEAST_BYTES);
    this.#show(length(next) >= lanes.total ? undefined : next);
  }

  /** Shows a rectangle: a stretch of the shared axis, and of the addresses. */
  #framed({ x, y }: Box): void {
    const view = this.#view;
    if (view === undefined) return;
    const { toX, toY, lanes } = view;
    const bytes = ordered(unapply(toY, y.from), unapply(toY, y.to));
    this.#show(fitted(bytes, { from: 0, to: lanes.total }, LEAST_BYTES));
    this.#means.send({ kind: 'show', x: ordered(unapply(toX, x.from), unapply(toX, x.to)) });
    this.#means.send({ kind: 'mode', mode: 'pan' });
  }

  /** Selects the events between two pixels. */
  #spanned(pixels: Span): void {
    const [view, drawn, placement] = [this.#view, this.#answered?.drawn, this.#placement];
    if (view === undefined || drawn === undefined || placement === undefined) return;
    const { left, width } = view.plot;
    const [first, end] = [pixels.from, pixels.to].map((pixel) => {
      const inside = clamp(pixel, left, left + width - 1);
      // By number an event is where its pixel is; by time the map knows.
      return view.axis === 'event'
        ? Math.floor(unapply(view.toX, inside))
        : eventAt(drawn, placement, inside);
    });
    const last = extent(this.#means.shared.get()).events - 1;
    if (first === undefined || end === undefined || last < 0) return;
    const from = clamp(first + 1, 0, last);
    const selection = {
      kind: 'period',
      from,
      to: clamp(end, from, last),
      time: undefined,
    } as const;
    this.#means.send({ kind: 'select', selection, wanted: 'nothing' });
    this.#means.send({ kind: 'mode', mode: 'pan' });
  }

  #look(): MapLook {
    return this.#means.looks.of(this.#means.shared.get().device);
  }

  /** Shows some bytes of the lane axis, or all of them. */
  #show(y: Span | undefined): void {
    this.#means.looks.show(this.#means.shared.get().device, y);
  }
}

function clip(context: CanvasRenderingContext2D, { plot }: View): void {
  context.beginPath();
  context.rect(plot.left, plot.top, plot.width, plot.height);
  context.clip();
}

const blockOf = (hover: MapHover): number | undefined =>
  hover.kind === 'at' && hover.target?.kind === 'block' ? hover.target.block : undefined;
