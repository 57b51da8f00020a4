import type { Frames } from '../../base/frames';
import { Latest } from '../../base/latest';
import { apply, clamp, fitted, length, mapping, type Span } from '../../base/span';
import type { Readable } from '../../base/store';
import { watchSize, type Size } from '../../base/surface';
import { context2d } from '../../draw/canvas';
import type { Theme } from '../../draw/theme';
import { bounds, extent, leastSpan, shown, type Shared } from '../../state/shared';
import type { Intent } from '../../state/update';
import type { Engine } from '../../wire/engine';
import type { SceneQuestion } from '../../wire/known';
import type { Scene } from '../../wire/scene';
import { listenToSlider, type Grip } from './grips';
import { onLanguage } from '../../text/language.svelte';
import { sliderParts, type SliderParts } from './parts';

/** What the slider is given. */
export interface TrendMeans {
  readonly engine: Engine;
  readonly frames: Frames;
  readonly shared: Readable<Shared>;
  readonly theme: Readable<Theme>;
  readonly send: (intent: Intent) => void;
  readonly failed: (error: unknown) => void;
}

const MOST_COLUMNS = 2048;

/** The allocated line over all of the recording, with a window on the part that is shown. */
export class TrendSlider {
  readonly #host: HTMLElement;
  readonly #means: TrendMeans;
  readonly #parts: SliderParts;
  readonly #feed: Latest<SceneQuestion, Scene>;
  readonly #ends: (() => void)[];
  #size: Size | undefined;
  #asked: SceneQuestion | undefined;
  #answer: { readonly question: SceneQuestion; readonly scene: Scene } | undefined;

  constructor(host: HTMLElement, means: TrendMeans) {
    this.#host = host;
    this.#means = means;
    this.#parts = sliderParts(host.ownerDocument);
    this.#feed = new Latest(
      (question) => means.engine.scene(question),
      (scene, question) => {
        this.#answer = { question, scene };
        this.#redraw();
      },
      means.failed,
    );
    host.append(this.#parts.canvas, this.#parts.window);
    this.#ends = [
      means.shared.subscribe(this.#redraw),
      means.theme.subscribe(this.#redraw),
      onLanguage(this.#parts.name),
      watchSize(host, this.#resized),
      listenToSlider(host, this.#parts, {
        place: (clientX) => this.#place(clientX),
        shown: () => shown(means.shared.get()),
        bounds: () => bounds(means.shared.get()),
        show: (x) => {
          means.send({ kind: 'show', x });
        },
        zoom: (at, factor) => {
          means.send({ kind: 'zoom-x', at, factor });
        },
        nudge: (grip, share) => {
          this.#nudge(grip, share);
        },
      }),
    ];
  }

  destroy(): void {
    for (const end of this.#ends) end();
    this.#feed.drop();
    this.#means.frames.cancel(this.#draw);
    this.#host.replaceChildren();
  }

  readonly #redraw = (): void => {
    this.#means.frames.request(this.#draw);
  };

  readonly #resized = (size: Size): void => {
    this.#size = size;
    this.#parts.canvas.width = size.width;
    this.#parts.canvas.height = size.height;
    this.#redraw();
  };

  #place(clientX: number): number {
    const { left, width } = this.#host.getBoundingClientRect();
    const whole = bounds(this.#means.shared.get());
    const share = clamp((clientX - left) / Math.max(1, width), 0, 1);
    return whole.from + share * length(whole);
  }

  /** Moves an edge, or the window, by a share of what is shown. */
  #nudge(grip: Grip, share: number): void {
    const shared = this.#means.shared.get();
    const x = shown(shared);
    const by = share * length(x);
    const least = leastSpan(shared);
    const next = {
      from: grip === 'right' ? x.from : Math.min(x.from + by, x.to - (grip === 'left' ? least : 0)),
      to: grip === 'left' ? x.to : x.to + by,
    };
    const isSolid = length(next) >= least;
    if (isSolid) this.#means.send({ kind: 'show', x: fitted(next, bounds(shared), least) });
  }

  readonly #draw = (): void => {
    if (this.#size === undefined) return;
    const shared = this.#means.shared.get();
    this.#want(shared, this.#size);
    this.#drawTrend(shared, this.#size);
    this.#placeWindow(shared);
  };

  #want(shared: Shared, size: Size): void {
    const whole = bounds(shared);
    const question: SceneQuestion = {
      session: shared.session,
      device: shared.device,
      axis: shared.axis,
      x0: whole.from,
      x1: whole.to,
      y0: 0,
      y1: Math.max(extent(shared).peak.bytes, 1) * 1.08,
      width_px: Math.min(size.width, MOST_COLUMNS),
      height_px: size.height,
      color: 'address',
      detail: 'lines',
      selected: undefined,
    };
    if (this.#asked !== undefined && isSame(this.#asked, question)) return;
    this.#asked = question;
    this.#feed.put(question);
  }

  #drawTrend(shared: Shared, size: Size): void {
    const context = context2d(this.#parts.canvas);
    context.clearRect(0, 0, size.width, size.height);
    const answer = this.#answer;
    const isOurs =
      answer?.question.session === shared.session &&
      answer.question.device === shared.device &&
      answer.question.axis === shared.axis &&
      answer.question.x0 === bounds(shared).from &&
      answer.question.x1 === bounds(shared).to;
    if (!isOurs) return;
    const { scene, question } = answer;
    const toX = mapping({ from: 0, to: question.width_px }, { from: 0, to: size.width });
    const toY = mapping({ from: 0, to: question.height_px }, { from: 0, to: size.height });
    this.#fillTrend(
      context,
      size,
      scene,
      (x) => apply(toX, x),
      (y) => apply(toY, y),
    );
  }

  #fillTrend(
    context: CanvasRenderingContext2D,
    size: Size,
    scene: Scene,
    toX: (x: number) => number,
    toY: (y: number) => number,
  ): void {
    const theme = this.#means.theme.get();
    const line = new Path2D();
    const { low, high } = scene.lines.allocated;
    for (let column = 0; column < scene.columns; column += 1) {
      const y = toY(Math.min(low[column] ?? 0, high[column] ?? 0));
      line.lineTo(toX(scene.edge[column] ?? 0), y);
      line.lineTo(toX(scene.edge[column + 1] ?? 0), y);
    }
    const area = new Path2D(line);
    area.lineTo(toX(scene.edge[scene.columns] ?? 0), size.height);
    area.lineTo(toX(scene.edge[0] ?? 0), size.height);
    context.fillStyle = theme.accent;
    context.globalAlpha = 0.18;
    context.fill(area);
    context.globalAlpha = 0.75;
    context.strokeStyle = theme.accent;
    context.lineWidth = size.scale;
    context.stroke(line);
    context.globalAlpha = 1;
  }

  #placeWindow(shared: Shared): void {
    const whole = bounds(shared);
    const x: Span = shown(shared);
    const toPercent = mapping(whole, { from: 0, to: 100 });
    const { window, left, right } = this.#parts;
    window.style.left = `${apply(toPercent, x.from).toFixed(4)}%`;
    window.style.width = `${(length(x) * toPercent.scale).toFixed(4)}%`;
    window.classList.toggle('is-whole', length(x) >= length(whole) * 0.9999);
    for (const [handle, at] of [
      [left, x.from],
      [right, x.to],
    ] as const) {
      handle.setAttribute('aria-valuemin', whole.from.toString());
      handle.setAttribute('aria-valuemax', whole.to.toString());
      handle.setAttribute('aria-valuenow', Math.round(at).toString());
    }
  }
}

const isSame = (a: SceneQuestion, b: SceneQuestion): boolean =>
  a.session === b.session &&
  a.device === b.device &&
  a.axis === b.axis &&
  a.x0 === b.x0 &&
  a.x1 === b.x1 &&
  a.width_px === b.width_px &&
  a.height_px === b.height_px;
