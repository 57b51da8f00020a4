import { bytes, count, percent } from '../../base/format';
import type { Key } from '../../text/keys';
import { t } from '../../text/t';
import { amountText, changeOf, flat, pathTo, type Branch, type Look } from './tree';

/** The parts to list: those whose parts above are open. */
export function listed(root: Branch, isOpen: (branch: Branch) => boolean): readonly Branch[] {
  return [root, ...(isOpen(root) ? root.below.flatMap((child) => listed(child, isOpen)) : [])];
}

const share = (part: number, whole: number): string => (whole > 0 ? percent(part / whole) : '–');

/** The share of all that grew or shrank at the lowest level. */
function changeShare(branch: Branch, look: Look): string {
  const root = pathTo(branch)[0] ?? branch;
  const all = flat(root)
    .filter(({ below }) => below.length === 0)
    .reduce((sum, { part }) => sum + Math.abs(changeOf(part)), 0);
  return look === 'moment' ? '' : share(Math.abs(changeOf(branch.part)), all);
}

/** A column of the list of parts. */
export interface Column {
  readonly id: string;
  readonly title: Key;
  /** What it says, where the title is too short for that. */
  readonly why?: Key;
  readonly text: (branch: Branch) => string;
  /** All digits. */
  readonly exact: (branch: Branch) => string;
}

const plain = (value: number): string => value.toString();

const MOMENT: readonly Column[] = [
  {
    id: 'bytes',
    title: 'dump.decomposition.columns.bytes',
    text: ({ part }) => bytes(part.bytes),
    exact: ({ part }) => plain(part.bytes),
  },
  {
    id: 'of-parent',
    why: 'dump.decomposition.columns.titles.of-parent',
    title: 'dump.decomposition.columns.ofParent',
    text: ({ part, parent }) => (parent === undefined ? '' : share(part.bytes, parent.part.bytes)),
    exact: ({ part, parent }) =>
      parent === undefined || parent.part.bytes === 0 ? '' : plain(part.bytes / parent.part.bytes),
  },
  {
    id: 'of-whole',
    why: 'dump.decomposition.columns.titles.of-whole',
    title: 'dump.decomposition.columns.ofWhole',
    text: (branch) => share(branch.part.bytes, pathTo(branch)[0]?.part.bytes ?? 0),
    exact: (branch) => {
      const whole = pathTo(branch)[0]?.part.bytes ?? 0;
      return whole === 0 ? '' : plain(branch.part.bytes / whole);
    },
  },
  {
    id: 'blocks',
    title: 'dump.decomposition.columns.blocks',
    text: ({ part }) =>
      part.kind === 'pool_free' || part.kind === 'outside' ? '' : count(part.blocks),
    exact: ({ part }) => plain(part.blocks),
  },
];

const COMPARED: readonly Column[] = [
  {
    id: 'a',
    title: 'dump.decomposition.columns.a',
    text: ({ part }) => bytes(part.bytes),
    exact: ({ part }) => plain(part.bytes),
  },
  {
    id: 'b',
    title: 'dump.decomposition.columns.b',
    text: ({ part }) => bytes(part.then_bytes),
    exact: ({ part }) => plain(part.then_bytes),
  },
  {
    id: 'change',
    title: 'dump.decomposition.columns.change',
    text: (branch) => amountText(branch, 'change'),
    exact: ({ part }) => plain(changeOf(part)),
  },
  {
    id: 'of-change',
    why: 'dump.decomposition.columns.titles.of-change',
    title: 'dump.decomposition.columns.ofChange',
    text: (branch) => changeShare(branch, 'change'),
    exact: ({ part, parent }) => {
      const of = parent === undefined ? 0 : changeOf(parent.part);
      return of === 0 ? '' : plain(changeOf(part) / of);
    },
  },
];

/** The columns beside the name. */
export const columnsOf = (look: Look): readonly Column[] => (look === 'moment' ? MOMENT : COMPARED);

/** The whole tree as text, columns set apart by tabs, bytes with every digit. */
export function asText(root: Branch, look: Look): string {
  const columns = columnsOf(look).filter(({ id }) => id !== 'of-change');
  const head = [t('dump.decomposition.columns.part'), ...columns.map(({ title }) => t(title))];
  const rows = flat(root).map((branch) => {
    const { kind, tag } = branch.part;
    const name =
      kind === 'owner' ? tag : kind === 'unclassified' ? `${tag} (${branch.name})` : branch.name;
    return [name, ...columns.map(({ exact }) => exact(branch))];
  });
  return [head, ...rows].map((cells) => cells.join('\t')).join('\n');
}
