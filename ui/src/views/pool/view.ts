import type { Frames } from '../../base/frames';
import { Latest } from '../../base/latest';
import { apply, sameSpan, unapply } from '../../base/span';
import type { Readable, Store } from '../../base/store';
import { watchSize, type Size } from '../../base/surface';
import { context2d } from '../../draw/canvas';
import type { Theme } from '../../draw/theme';
import { NO_POOL_HOVER, type PoolHover } from '../../state/hover';
import {
  highlightOf,
  isSameHighlight,
  NO_SELECTION,
  stateAt,
  type Shared,
} from '../../state/shared';
import type { Intent } from '../../state/update';
import type { Engine } from '../../wire/engine';
import type { PoolQuestion } from '../../wire/known';
import type { Pool } from '../../wire/pool';
import { listenTo, type Point } from './gestures';
import { Names } from './names';
import { drawMark, drawPool, type Look } from './paint';
import {
  areaOfBlock,
  areaOfSegment,
  heightOf,
  homeOf,
  rowOfBlock,
  segmentAround,
  shapeOf,
  spotAt,
  targetOf,
  type Area,
  type Shape,
  type Spot,
} from './shape';
import {
  inside,
  natural,
  plotOf,
  showing,
  whole,
  xMap,
  yMap,
  zoomedAt,
  type Window,
  type World,
} from './window';

/** What the view is given. */
export interface PoolMeans {
  readonly engine: Engine;
  readonly frames: Frames;
  readonly shared: Readable<Shared>;
  readonly theme: Readable<Theme>;
  readonly hover: Store<PoolHover>;
  /** The pool that is drawn. */
  readonly shownPool: Store<Pool | undefined>;
  /** What it was asked for; set before it. */
  readonly answered: Store<PoolQuestion | undefined>;
  readonly send: (intent: Intent) => void;
  readonly failed: (error: unknown) => void;
}

/** A drawing that took longer is moved while the view moves, and made anew afterwards. */
const SLOW_MS = 7;
const SETTLE_MS = 90;

/** What the offscreen picture shows. */
interface Drawn {
  readonly shape: Shape;
  readonly look: Look;
  readonly window: Window;
  readonly named: number;
}

/** The pool as rows of segments with their blocks. */
export class PoolView {
  readonly #host: HTMLElement;
  readonly #means: PoolMeans;
  readonly #canvas: HTMLCanvasElement;
  readonly #over: HTMLCanvasElement;
  readonly #picture: HTMLCanvasElement;
  readonly #latest: Latest<PoolQuestion, Pool>;
  readonly #names: Names;
  readonly #ends: (() => void)[] = [];
  #asked: PoolQuestion | undefined;
  #shape: Shape | undefined;
  #size: Size | undefined;
  /** What the person chose to see; everything until then. */
  #chosen: Window | undefined;
  #drawn: Drawn | undefined;
  #cost = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pointer: Point | undefined;
  #hovered: Spot | undefined;
  #selection: Shared['selection'] = NO_SELECTION;
  #isOwnClick = false;
  #marked: number | undefined;

  constructor(host: HTMLElement, means: PoolMeans) {
    this.#host = host;
    this.#means = means;
    const document = host.ownerDocument;
    this.#canvas = document.createElement('canvas');
    this.#over = document.createElement('canvas');
    this.#picture = document.createElement('canvas');
    this.#over.dataset.testid = 'pool-canvas';
    host.append(this.#canvas, this.#over);
    this.#names = new Names(means.engine, this.#redraw);
    this.#latest = new Latest(
      (question) => means.engine.pool(question),
      (pool, question) => {
        this.#arrived(pool, question);
      },
      means.failed,
    );
    this.#ends.push(
      means.shared.subscribe(this.#redraw),
      means.theme.subscribe(this.#redraw),
      watchSize(host, this.#resized),
      listenTo(host, {
        scale: () => this.#size?.scale ?? 1,
        pointed: (at) => {
          this.#pointer = at;
          this.#redraw();
        },
        clicked: (at, isWide) => {
          this.#clicked(at, isWide);
        },
        dragged: (by) => {
          this.#dragged(by);
        },
        zoomed: (at, factor) => {
          this.#zoomed(at, factor);
        },
        fitted: this.fit,
      }),
    );
  }

  /** Shows everything. */
  readonly fit = (): void => {
    this.#chosen = undefined;
    this.#redraw();
  };

  /** Shows rows at the height they are meant to have. */
  readonly natural = (): void => {
    const now = this.#window();
    if (now === undefined) return;
    this.#chosen = natural(now.window, now.world, now.plot, now.scale);
    this.#redraw();
  };

  /** Outlines a block besides the selection: the one that the selected event is about. */
  mark(block: number | undefined): void {
    if (block === this.#marked) return;
    this.#marked = block;
    this.#redraw();
  }

  /** Centre of a block's visible part or of a free run, CSS pixels of the window; for tests. */
  placeOf(block: number): Point | undefined {
    const now = this.#window();
    const shape = this.#shape;
    const row = shape && rowOfBlock(shape.pool, block);
    if (now === undefined || shape === undefined || row === undefined) return undefined;
    const area = areaOfBlock(shape, row);
    const { left, top } = this.#host.getBoundingClientRect();
    const x = apply(xMap(now.window, now.plot), area.x + area.width / 2);
    const y = apply(yMap(now.window, now.plot), area.y + 0.4);
    return { x: left + x / now.scale, y: top + y / now.scale };
  }

  destroy(): void {
    for (const end of this.#ends) end();
    this.#latest.drop();
    this.#names.stop();
    clearTimeout(this.#timer);
    this.#means.frames.cancel(this.#draw);
    this.#host.replaceChildren();
    this.#means.hover.set(NO_POOL_HOVER);
    this.#means.shownPool.set(undefined);
  }

  readonly #redraw = (): void => {
    this.#means.frames.request(this.#draw);
  };

  readonly #resized = (size: Size): void => {
    this.#size = size;
    for (const canvas of [this.#canvas, this.#over, this.#picture]) {
      canvas.width = size.width;
      canvas.height = size.height;
    }
    this.#drawn = undefined;
    this.#redraw();
  };

  #arrived(pool: Pool, question: PoolQuestion): void {
    if (question.device !== this.#means.shared.get().device) return;
    const before = this.#shape?.pool;
    this.#shape = shapeOf(pool, question.grouping);
    if (question.grouping === 'by_pool') this.#names.want(question, this.#shape);
    this.#means.answered.set(question);
    this.#means.shownPool.set(pool);
    if (before === undefined) this.#bring(this.#selection);
    this.#redraw();
  }

  #ask(shared: Shared): void {
    const question: PoolQuestion = {
      session: shared.session,
      device: shared.device,
      after: stateAt(shared),
      order: shared.pool.order,
      grouping: shared.pool.grouping,
      color: shared.color,
      highlight: highlightOf(shared),
    };
    if (this.#asked !== undefined && isSame(this.#asked, question)) return;
    if (this.#asked !== undefined && this.#asked.device !== question.device) {
      this.#shape = undefined;
      this.#chosen = undefined;
      this.#means.shownPool.set(undefined);
    }
    this.#asked = question;
    this.#latest.put(question);
  }

  /** The part shown now, and what it is a part of. */
  #window() {
    if (this.#shape === undefined || this.#size === undefined) return undefined;
    const { scale } = this.#size;
    const plot = plotOf(this.#size);
    const world: World = {
      width: Math.max(1, this.#shape.pool.rowBytes),
      height: Math.max(1, heightOf(this.#shape)),
    };
    const window = this.#chosen
      ? inside(this.#chosen, world, plot, scale)
      : whole(world, plot, scale);
    return { window, world, plot, scale };
  }

  readonly #draw = (): void => {
    const shared = this.#means.shared.get();
    this.#ask(shared);
    this.#follow(shared);
    const now = this.#window();
    const shape = this.#shape;
    if (now === undefined || shape === undefined) {
      for (const canvas of [this.#canvas, this.#over]) {
        context2d(canvas).clearRect(0, 0, canvas.width, canvas.height);
      }
      return;
    }
    const theme = this.#means.theme.get();
    const look: Look = {
      plot: now.plot,
      scale: now.scale,
      toX: xMap(now.window, now.plot),
      toY: yMap(now.window, now.plot),
      theme,
      scheme: { kind: shared.color === 'size' ? 'size' : 'category', tone: theme.tone },
    };
    this.#paint(shape, look, now.window);
    this.#drawOver(shape, look, shared);
  };

  #paint(shape: Shape, look: Look, window: Window): void {
    const before = this.#drawn;
    const named = this.#names.version;
    const isSamePool =
      before?.shape === shape &&
      before.look.theme === look.theme &&
      before.look.scheme.kind === look.scheme.kind &&
      before.named === named;
    const isThere =
      isSamePool && sameSpan(before.window.x, window.x) && sameSpan(before.window.y, window.y);
    if (isThere) return;
    clearTimeout(this.#timer);
    if (isSamePool && this.#cost > SLOW_MS) {
      this.#move(before.look, look);
      this.#timer = setTimeout(() => {
        this.#cost = 0;
        this.#redraw();
      }, SETTLE_MS);
      return;
    }
    const start = performance.now();
    const context = context2d(this.#picture);
    context.clearRect(0, 0, this.#picture.width, this.#picture.height);
    drawPool(context, shape, look, (group) => this.#names.heading(shape, group));
    this.#cost = performance.now() - start;
    this.#drawn = { shape, look, window, named };
    this.#move(look, look);
  }

  /** Shows the offscreen picture where it belongs now. */
  #move(from: Look, to: Look): void {
    const context = context2d(this.#canvas);
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    const [x, y] = [to.toX.scale / from.toX.scale, to.toY.scale / from.toY.scale];
    context.imageSmoothingEnabled = false;
    context.setTransform(
      x,
      0,
      0,
      y,
      to.toX.offset - from.toX.offset * x,
      to.toY.offset - from.toY.offset * y,
    );
    context.drawImage(this.#picture, 0, 0);
    context.resetTransform();
  }

  /** Brings a new selection into the picture, unless it was made here. */
  #follow(shared: Shared): void {
    if (shared.selection === this.#selection) return;
    this.#selection = shared.selection;
    if (!this.#isOwnClick) this.#bring(shared.selection);
    this.#isOwnClick = false;
  }

  #bring(selection: Shared['selection']): void {
    const now = this.#window();
    const area = this.#areaOf(selection);
    if (now === undefined || area === undefined) return;
    const next = showing(now.window, area);
    if (!sameSpan(next.x, now.window.x) || !sameSpan(next.y, now.window.y)) this.#chosen = next;
  }

  #areaOf(selection: Shared['selection']): Area | undefined {
    if (this.#shape === undefined) return undefined;
    const { pool } = this.#shape;
    if (selection.kind === 'block') {
      const row = rowOfBlock(pool, selection.block);
      return row === undefined ? undefined : areaOfBlock(this.#shape, row);
    }
    if (selection.kind !== 'segment') return undefined;
    const segment = segmentAround(pool, selection.address);
    return segment === undefined ? undefined : areaOfSegment(this.#shape, segment);
  }

  #drawOver(shape: Shape, look: Look, shared: Shared): void {
    this.#point(shape, look);
    const context = context2d(this.#over);
    context.clearRect(0, 0, this.#over.width, this.#over.height);
    const { theme } = look;
    const spot = this.#hovered;
    if (spot !== undefined) {
      const area =
        spot.block === undefined
          ? areaOfSegment(shape, spot.segment)
          : areaOfBlock(shape, spot.block);
      drawMark(context, look, area, { color: theme.ink, halo: undefined, width: 1 });
    }
    const marked = this.#marked === undefined ? undefined : rowOfBlock(shape.pool, this.#marked);
    const selected =
      this.#areaOf(shared.selection) ??
      (marked === undefined ? undefined : areaOfBlock(shape, marked));
    if (selected === undefined) return;
    drawMark(context, look, selected, { color: theme.ink, halo: theme.panelCss, width: 2 });
  }

  /** Looks at what is under the pointer. */
  #point(shape: Shape, look: Look): void {
    const at = this.#pointer;
    this.#hovered = at && spotAt(shape, unapply(look.toX, at.x), unapply(look.toY, at.y));
    if (at === undefined || this.#hovered === undefined) {
      this.#means.hover.set(NO_POOL_HOVER);
      return;
    }
    this.#means.hover.set({
      kind: 'at',
      left: at.x / look.scale,
      top: at.y / look.scale,
      target: targetOf(shape, this.#hovered),
    });
  }

  #clicked(at: Point, isWide: boolean): void {
    const now = this.#window();
    const shape = this.#shape;
    if (now === undefined || shape === undefined) return;
    const x = unapply(xMap(now.window, now.plot), at.x);
    const y = unapply(yMap(now.window, now.plot), at.y);
    const spot = spotAt(shape, x, y);
    if (spot === undefined) {
      this.#means.send({ kind: 'select', selection: NO_SELECTION, wanted: 'nothing' });
      return;
    }
    const { pool } = shape;
    this.#isOwnClick = true;
    this.#means.send({
      kind: 'select',
      selection:
        spot.block === undefined || isWide
          ? {
              kind: 'segment',
              address: homeOf(pool, spot.segment).address,
              after: pool.state - 1,
            }
          : { kind: 'block', block: pool.blocks.block[spot.block] ?? 0 },
      wanted: 'reveal',
    });
  }

  #dragged(by: Point): void {
    const now = this.#window();
    if (now === undefined) return;
    const { x, y } = now.window;
    const dx = -by.x / xMap(now.window, now.plot).scale;
    const dy = -by.y / yMap(now.window, now.plot).scale;
    this.#chosen = inside(
      { x: { from: x.from + dx, to: x.to + dx }, y: { from: y.from + dy, to: y.to + dy } },
      now.world,
      now.plot,
      now.scale,
    );
    this.#redraw();
  }

  #zoomed(at: Point, factor: number): void {
    const now = this.#window();
    if (now === undefined) return;
    const place = {
      x: unapply(xMap(now.window, now.plot), at.x),
      y: unapply(yMap(now.window, now.plot), at.y),
    };
    this.#chosen = zoomedAt(now.window, place, factor, now.world, now.plot, now.scale);
    this.#redraw();
  }
}

const isSame = (a: PoolQuestion, b: PoolQuestion): boolean =>
  a.device === b.device &&
  a.after === b.after &&
  a.order === b.order &&
  a.grouping === b.grouping &&
  a.color === b.color &&
  isSameHighlight(a.highlight, b.highlight);
