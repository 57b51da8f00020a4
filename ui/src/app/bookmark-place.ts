import { count } from '../base/format';
import type { Bookmark, BookmarkPlace } from '../state/bookmark';
import { middleOf, periodAt, shown } from '../state/shared';
import { t } from '../text/t';
import type { Session } from './session';

/** Goes to the place of a bookmark, on its device. */
export function goTo(
  { send, shared }: Pick<Session, 'send' | 'shared'>,
  { device, selection, mark }: BookmarkPlace,
): void {
  send({ kind: 'device', device });
  if (selection.kind === 'event') {
    send({ kind: 'visit', event: mark });
    return;
  }
  // Who held memory, and how a segment was, is a question about a moment.
  if (selection.kind !== 'block' && selection.kind !== 'period') {
    send({ kind: 'cursor', event: mark });
  }
  send({ kind: 'select', selection, wanted: 'reveal' });
  const now = shared.get();
  const at = periodAt(now)?.from ?? middleOf(now, mark);
  const x = shown(now);
  if (selection.kind === 'block' || at === undefined || (at >= x.from && at <= x.to)) return;
  const half = (x.to - x.from) / 2;
  send({ kind: 'show', x: { from: at - half, to: at + half } });
}

/** What a bookmark is of. */
export function bookmarkName({ place: of }: Bookmark): string {
  if (of === undefined) return t('projects.marks.old');
  const { selection, number, name } = of;
  switch (selection.kind) {
    case 'block':
      return number === undefined
        ? t('details.anyBlock')
        : t('projects.marks.block', { block: count(number) });
    case 'event':
      return t('projects.marks.event', { event: count(selection.event) });
    case 'segment':
      return t('projects.marks.segment', { address: selection.address });
    case 'owner':
      return t('projects.marks.owner', { tag: selection.tag });
    case 'stack':
      return name === undefined ? t('holders.stack') : t('projects.marks.stack', { name });
    case 'frame':
      return name === undefined ? t('holders.frame') : t('projects.marks.frame', { name });
    case 'period':
      return t('projects.marks.period', {
        from: count(selection.from),
        to: count(selection.to),
      });
    case 'none':
      return '';
  }
}
