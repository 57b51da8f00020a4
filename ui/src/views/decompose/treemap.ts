import { TreemapChart, type TreemapSeriesOption } from 'echarts/charts';
import * as echarts from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import type { Theme } from '../../draw/theme';
import { changeFill, ownerFill, type Fill, type OwnerHues } from './colors';
import { amountText, changeOf, flat, weightOf, type Branch, type Look } from './tree';

echarts.use([TreemapChart, CanvasRenderer]);

/** What the picture shows. */
export interface Shown {
  /** The part that fills it. */
  readonly root: Branch;
  readonly look: Look;
  /** The part that is selected. */
  readonly marked: string | undefined;
  readonly hues: OwnerHues;
  readonly theme: Theme;
}

/** What the picture tells. Places are CSS pixels from its top left corner. */
export interface Heard {
  /** A part was clicked. */
  clicked(key: string): void;
  /** The pointer is over a part, or over none. */
  pointed(key: string | undefined, left: number, top: number): void;
}

type Item = NonNullable<TreemapSeriesOption['data']>[number];
type Hatch = Exclude<NonNullable<NonNullable<Item['itemStyle']>['decal']>, 'none'>;

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** CSS pixels. */
const HEADER = 18;
/** Square pixels: parts smaller than this are left out, or shown without the parts in them. */
const LEAST_AREA = 6;
const LEAST_NESTED = 900;

/** The parts of a whole as nested rectangles. */
export class Treemap {
  readonly #chart: echarts.EChartsType;
  readonly #watch: ResizeObserver;
  #shown: Shown | undefined;
  /** Where drag and wheel have brought the whole; nothing while it fits. */
  #rect: Rect | undefined;

  constructor(host: HTMLElement, heard: Heard) {
    this.#chart = echarts.init(host, null, { renderer: 'canvas' });
    this.#watch = new ResizeObserver(() => {
      this.#chart.resize();
    });
    this.#watch.observe(host);
    this.#chart.on('click', (event) => {
      const key = keyIn(event.data);
      if (key !== undefined) heard.clicked(key);
    });
    this.#chart.on('mousemove', (event) => {
      const at = event.event;
      heard.pointed(keyIn(event.data), at?.offsetX ?? 0, at?.offsetY ?? 0);
    });
    this.#chart.on('mouseout', () => {
      heard.pointed(undefined, 0, 0);
    });
    for (const moved of ['treemapmove', 'treemaprender']) {
      this.#chart.on(moved, (event) => {
        this.#rect = rectIn(event) ?? this.#rect;
      });
    }
  }

  /** Draws; what was moved or zoomed stays so while the same part fills the picture. */
  show(shown: Shown): void {
    if (shown.root.key !== this.#shown?.root.key) this.#rect = undefined;
    this.#shown = shown;
    this.#chart.setOption({ series: [seriesOf(shown)] }, { lazyUpdate: false });
    const rect = this.#rect;
    if (rect !== undefined) {
      this.#chart.dispatchAction({ type: 'treemapRender', seriesId: 'parts', rootRect: rect });
    }
  }

  /** Shows all of it again. */
  fit(): void {
    this.#rect = undefined;
    if (this.#shown !== undefined) this.show(this.#shown);
  }

  destroy(): void {
    this.#watch.disconnect();
    this.#chart.dispose();
  }
}

function seriesOf(shown: Shown): TreemapSeriesOption {
  const { theme, root, look } = shown;
  const most = Math.max(
    0,
    ...flat(root)
      .filter(({ below }) => below.length === 0)
      .map(({ part }) => Math.abs(changeOf(part))),
  );
  const fillOf = (branch: Branch): Fill =>
    look === 'moment' ? ownerFill(branch, shown.hues, theme) : changeFill(branch, most, theme);
  const items = root.below.length > 0 ? root.below : [root];
  return {
    id: 'parts',
    type: 'treemap',
    animation: false,
    left: 0,
    top: 0,
    right: 0,
    bottom: 0,
    roam: true,
    nodeClick: false,
    breadcrumb: { show: false },
    visibleMin: LEAST_AREA,
    childrenVisibleMin: LEAST_NESTED,
    scaleLimit: { min: 1, max: 200 },
    label: { position: [5, 4], fontFamily: theme.font, fontSize: 11.5, overflow: 'truncate' },
    upperLabel: {
      show: true,
      height: HEADER,
      padding: [0, 4, 0, 5],
      fontFamily: theme.font,
      fontSize: 11.5,
    },
    itemStyle: { borderColor: theme.panelCss, borderWidth: 0, gapWidth: 1 },
    levels: [{ upperLabel: { show: false }, itemStyle: { gapWidth: 2 } }],
    // The card says what is under the pointer.
    emphasis: { disabled: true },
    data: items.flatMap((branch) => itemOf(branch, shown, fillOf)),
  };
}

/** A part with those below it; none of what has no area. */
function itemOf(branch: Branch, shown: Shown, fillOf: (branch: Branch) => Fill): Item[] {
  const { look, marked, theme } = shown;
  const children = branch.below.flatMap((child) => itemOf(child, shown, fillOf));
  const weight = weightOf(branch.part, look);
  if (children.length === 0 && weight <= 0) return [];
  const { color, hatch, ink } = fillOf(branch);
  const isMarked = branch.key === marked;
  const text = `${branch.name}  ${amountText(branch, look)}`;
  const words = { color: ink, formatter: () => text, fontWeight: isMarked ? 700 : 400 } as const;
  const item: Item & { readonly key: string } = {
    key: branch.key,
    // A name is what it is told apart by, too.
    name: branch.key,
    label: words,
    upperLabel: words,
    itemStyle: {
      color,
      borderColor: isMarked ? theme.ink : color,
      borderWidth: isMarked ? 2 : children.length > 0 ? 1 : 0,
      ...(hatch === undefined ? {} : { decal: hatched(hatch) }),
    },
    ...(children.length > 0 ? { children } : { value: weight }),
  };
  return [item];
}

/** Slanted lines. */
const hatched = (color: string): Hatch => ({
  symbol: 'rect',
  color,
  dashArrayX: [1, 0],
  dashArrayY: [1, 6],
  rotation: -Math.PI / 4,
});

function keyIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('key' in data)) return undefined;
  return typeof data.key === 'string' ? data.key : undefined;
}

function rectIn(event: unknown): Rect | undefined {
  if (typeof event !== 'object' || event === null || !('rootRect' in event)) return undefined;
  const { rootRect: rect } = event;
  if (typeof rect !== 'object' || rect === null) return undefined;
  if (!('x' in rect && 'y' in rect && 'width' in rect && 'height' in rect)) return undefined;
  const { x, y, width, height } = rect;
  const isWhole = [x, y, width, height].every((value) => typeof value === 'number');
  return isWhole
    ? { x: Number(x), y: Number(y), width: Number(width), height: Number(height) }
    : undefined;
}
