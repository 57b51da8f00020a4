import { bytes, count } from '../base/format';
import { rangeLabel } from '../state/names';
import type { Selection } from '../state/shared';
import type { Intent } from '../state/update';
import { t } from '../text/t';
import type { FindAnswer, FoundRows } from '../wire/find';
import type { Looked } from './looking';

/** Something that was found, as a line that can be chosen. */
export interface Hit {
  readonly key: string;
  readonly title: string;
  readonly note: string;
  /** What choosing it asks of the views; nothing: it leads nowhere. */
  readonly intents: readonly Intent[];
}

/** Hits of one kind. */
export interface HitGroup {
  readonly key: string;
  /** The device they are of, where that is not the one shown. */
  readonly device: string | undefined;
  readonly kind: 'blocks' | 'event' | 'segments' | 'stacks' | 'owners' | 'ranges';
  readonly hits: readonly Hit[];
  /** How many there are, shown or not. */
  readonly all: number;
}

const select = (selection: Selection): readonly Intent[] => [
  { kind: 'select', selection, wanted: 'reveal' },
];

const amount = (blocks: { readonly count: number; readonly size: number }): string =>
  `${t('hover.blocks', { count: blocks.count, text: count(blocks.count) })} · ${bytes(blocks.size)}`;

/** The most of a kind that are shown of another device. */
const FEW = 5;

/** What was found, device by device; choosing what is of another one goes there first. */
export function hitGroups(
  { found }: Looked,
  nameOf: (device: number) => string,
): readonly HitGroup[] {
  return found.flatMap(({ device, found: on }, at) =>
    at === 0 ? groupsOn(on) : groupsOn(on).map((group) => elsewhere(group, device, nameOf(device))),
  );
}

const elsewhere = (group: HitGroup, device: number, name: string): HitGroup => ({
  ...group,
  key: `${group.key} ${device.toString()}`,
  device: name,
  hits: group.hits.slice(0, FEW).map((hit) => ({
    ...hit,
    key: `${hit.key} ${device.toString()}`,
    intents: hit.intents.length === 0 ? [] : [{ kind: 'device', device }, ...hit.intents],
  })),
});

/** What was found, by kind: things with the number or the address before things that say the text. */
function groupsOn(found: FindAnswer): readonly HitGroup[] {
  const event = found.event === undefined ? [] : [found.event];
  const groups: readonly HitGroup[] = [
    group('blocks', found.blocks, ({ block, number, address, size, freed }) => ({
      key: `block ${block.toString()}`,
      title: t('palette.block', { number: count(number) }),
      note: `${address} · ${bytes(size)} · ${freed === undefined ? t('palette.kept') : t('palette.freed', { event: count(freed) })}`,
      intents: select({ kind: 'block', block }),
    })),
    group('event', { first: event, all: event.length }, ({ at, action, size }) => ({
      key: `event ${at.event.toString()}`,
      title: t('palette.event', { number: count(at.event) }),
      note: `${action} · ${bytes(size)}`,
      intents: [{ kind: 'visit', event: at }],
    })),
    group('segments', found.segments, ({ address, size, mapped }) => ({
      key: `segment ${address} ${(mapped ?? -1).toString()}`,
      title: t('palette.segment', { address }),
      note: `${bytes(size)} · ${mapped === undefined ? t('palette.before') : t('palette.mapped', { event: count(mapped) })}`,
      intents: select({ kind: 'segment', address, after: mapped ?? -1 }),
    })),
    group('owners', found.owners, ({ tag, blocks }) => ({
      key: `owner ${tag}`,
      title: tag,
      note: amount(blocks),
      intents: select({ kind: 'owner', tag }),
    })),
    group('ranges', found.ranges, ({ name, from, to }, at) => ({
      key: `range ${at.toString()}`,
      title: rangeLabel(name),
      note:
        from === undefined || to === undefined
          ? t('palette.noEvents')
          : t('palette.events', { from: count(from), to: count(to) }),
      intents:
        from === undefined || to === undefined
          ? []
          : select({ kind: 'period', from, to, time: undefined }),
    })),
    group('stacks', found.stacks, ({ stack, frame, top, blocks }) => ({
      key: `stack ${stack.toString()}`,
      title: frame,
      note: top === undefined ? amount(blocks) : `${top} · ${amount(blocks)}`,
      intents: select({ kind: 'stack', stack }),
    })),
  ];
  return groups.filter(({ all }) => all > 0);
}

function group<T>(
  kind: HitGroup['kind'],
  { first, all }: FoundRows<T>,
  hit: (row: T, at: number) => Hit,
): HitGroup {
  return { key: kind, device: undefined, kind, hits: first.map(hit), all };
}
