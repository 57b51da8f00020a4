import { inkOn } from '../../draw/contrast';
import { cssColor, hue, mix, type Rgb } from '../../draw/palette';
import { rgbOf, type Theme } from '../../draw/theme';
import { changeOf, pathTo, type Branch } from './tree';

/** How a rectangle looks. */
export interface Fill {
  readonly color: string;
  /** Lines over it, for what has no owner. */
  readonly hatch: string | undefined;
  /** Of the words in it. */
  readonly ink: string;
}

/** Tells the owners at the top apart: each keeps its colour as long as the recording is open. */
export class OwnerHues {
  readonly #places = new Map<string, number>();

  /** A number for the owner at the top that `branch` belongs to: right below its pool. */
  of(branch: Branch): number {
    const [, pool, owner] = pathTo(branch);
    const key = (owner ?? pool ?? branch).part.tag;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.#places.size);
    return this.#places.size - 1;
  }
}

/** The colour of a part: its owner's, paler where others lie in it; grey and hatched without one. */
export function ownerFill(branch: Branch, hues: OwnerHues, theme: Theme): Fill {
  const { kind } = branch.part;
  if (kind === 'pool_free' || kind === 'outside' || kind === 'whole') {
    return fill(mix(theme.rest, theme.panel, 0.25), theme, kind !== 'whole');
  }
  // A pool is the ground on which its owners stand.
  if (branch.depth === 1 && branch.below.length > 0) {
    return fill(mix(theme.rest, theme.panel, 0.1), theme, false);
  }
  const place = branch.parent?.below.indexOf(branch) ?? 0;
  const pale = theme.tone === 'light' ? 0.38 : 0.5;
  const turn = (Math.max(0, place) % 3) * 0.07;
  const isParent = branch.below.length > 0;
  const share = kind === 'unclassified' ? pale + 0.3 : isParent ? pale + 0.22 : pale + turn;
  return fill(mix(hue(hues.of(branch)), theme.panel, share), theme, kind === 'unclassified');
}

/** The places of the colours of growth among the hues: orange and blue. */
const MORE = 1;
const LESS = 0;

/** The colour of a change, the stronger the nearer it is to `most`. */
export function changeFill(branch: Branch, most: number, theme: Theme): Fill {
  const change = changeOf(branch.part);
  const { kind } = branch.part;
  const isQuiet = kind === 'pool_free' || kind === 'outside' || kind === 'unclassified';
  const still = mix(theme.rest, theme.panel, 0.4);
  if (change === 0 || most === 0) return fill(still, theme, isQuiet);
  const strength = 0.2 + 0.7 * Math.min(1, Math.abs(change) / most);
  const shade = mix(still, hue(change > 0 ? MORE : LESS), strength);
  return fill(branch.below.length > 0 ? mix(shade, theme.panel, 0.45) : shade, theme, isQuiet);
}

/** The colours of more and of less, for the words that explain them. */
export const changeKeys = (): { readonly more: string; readonly less: string } => ({
  more: cssColor(hue(MORE)),
  less: cssColor(hue(LESS)),
});

function fill(color: Rgb, theme: Theme, isHatched: boolean): Fill {
  const hatch = mix(color, rgbOf(theme.ink), 0.16);
  return {
    color: cssColor(color),
    hatch: isHatched ? cssColor(hatch) : undefined,
    ink: inkOn(color, theme),
  };
}
