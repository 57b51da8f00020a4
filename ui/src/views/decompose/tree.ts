import { bytes } from '../../base/format';
import { t } from '../../text/t';
import type { Decomposition, Part } from '../../wire/decompose';

/** A part with those below it. */
export interface Branch {
  /** The same for the same part at every moment. */
  readonly key: string;
  readonly part: Part;
  readonly name: string;
  /** 0 of the whole. */
  readonly depth: number;
  readonly parent: Branch | undefined;
  readonly below: readonly Branch[];
}

/** What is compared, and what the area of a part stands for. */
export type Look = 'moment' | 'then' | 'change';

/** Pools that are of other memory than the framework's. */
export const isAlone = (pool: string): boolean =>
  pool === 'HAL' || pool === 'HOST' || pool === 'HOST_PINNED';

export const keyOf = ({ kind, tag }: Pick<Part, 'kind' | 'tag'>): string => `${kind} ${tag}`;

/** How much more a part holds at the second moment. */
export const changeOf = ({ bytes, then_bytes: then }: Part): number => then - bytes;

/** The tree of `found`; those that hold most, or changed most, first. */
export function treeOf(found: Decomposition, pool: string, look: Look): Branch | undefined {
  const below = new Map<number, number[]>();
  found.parts.forEach(({ parent }, place) => {
    if (parent === undefined) return;
    const list = below.get(parent);
    if (list === undefined) below.set(parent, [place]);
    else list.push(place);
  });
  const grow = (place: number, parent: Branch | undefined): readonly Branch[] => {
    const part = found.parts[place];
    if (part === undefined) return [];
    const children: Branch[] = [];
    const branch: Branch = {
      key: keyOf(part),
      part,
      name: nameOf(part, found.whole, pool),
      depth: parent === undefined ? 0 : parent.depth + 1,
      parent,
      below: children,
    };
    children.push(...(below.get(place) ?? []).flatMap((child) => grow(child, branch)));
    if (look !== 'moment') children.sort(byChange);
    return [branch];
  };
  return grow(0, undefined)[0];
}

const byChange = (a: Branch, b: Branch): number =>
  Math.abs(changeOf(b.part)) - Math.abs(changeOf(a.part)) || b.part.then_bytes - a.part.then_bytes;

/** What a part is called beside those it belongs with. */
export function nameOf(part: Part, whole: Decomposition['whole'], pool: string): string {
  switch (part.kind) {
    case 'whole':
      return isAlone(pool)
        ? t('dump.decomposition.wholeOf', { pool })
        : t(`dump.decomposition.whole.${whole}`);
    case 'owner':
      return part.tag.split('@').findLast((level) => level !== '') ?? part.tag;
    case 'unclassified':
      return t('dump.decomposition.unclassified');
    case 'pool_free':
      return t('dump.decomposition.free', { pool: part.tag });
    case 'outside':
      return t('dump.decomposition.outside');
  }
}

/** All parts, from the whole down. */
export const flat = (branch: Branch): readonly Branch[] => [branch, ...branch.below.flatMap(flat)];

/** From the whole to `branch`, both included. */
export const pathTo = (branch: Branch): readonly Branch[] =>
  branch.parent === undefined ? [branch] : [...pathTo(branch.parent), branch];

/** The part called `key`. */
export const found = (root: Branch, key: string): Branch | undefined =>
  flat(root).find((branch) => branch.key === key);

/** The part of an owner; of the nearest above it, while it holds nothing itself. */
export function nearest(root: Branch, tag: string): Branch {
  const levels = tag.split('@').filter((level) => level !== '');
  for (let kept = levels.length; kept > 0; kept -= 1) {
    const branch = found(root, keyOf({ kind: 'owner', tag: levels.slice(0, kept).join('@') }));
    if (branch !== undefined) return branch;
  }
  return root;
}

/** The whole path of a block's owner: below its pool, unless it begins with one. */
export function ownerTag(root: Branch, owner: string | undefined, pool: string): string {
  const levels = (owner ?? '').split('@').filter((level) => level !== '');
  const begins = root.below.some(({ part }) => part.kind === 'owner' && part.tag === levels[0]);
  return (begins ? levels : [pool, ...levels]).join('@');
}

/** The bytes that the area of a part stands for, when nothing lies below it. */
export function weightOf(part: Part, look: Look): number {
  switch (look) {
    case 'moment':
      return part.bytes;
    case 'then':
      return part.then_bytes;
    case 'change':
      return Math.abs(changeOf(part));
  }
}

/** Where a click on `hit` leads inside `root`: one level down towards it, if there is more there. */
export function stepTowards(root: Branch, hit: Branch): Branch {
  const next = pathTo(hit).find(({ parent }) => parent === root);
  return next !== undefined && next.below.length > 0 ? next : root;
}

/** `40.00 MiB`, or how much more or less. */
export function amountText({ part }: Branch, look: Look): string {
  if (look === 'moment') return bytes(part.bytes);
  const change = changeOf(part);
  return change === 0 ? `±${bytes(0)}` : `${change > 0 ? '+' : '−'}${bytes(Math.abs(change))}`;
}
