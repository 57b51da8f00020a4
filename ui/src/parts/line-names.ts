import { extent, linesOf, type Shared } from '../state/shared';
import { t } from '../text/t';

/** What the lines besides that of what is allocated are called; nothing where they are not there. */
export interface LineNames {
  readonly active: string | undefined;
  readonly reserved: string | undefined;
}

/** A pool of a dump says itself what it has handed out and what it holds. */
export function lineNames(shared: Shared): LineNames {
  const isDump = extent(shared).track !== undefined;
  const { active, reserved } = linesOf(shared);
  return {
    active: active ? (isDump ? t('dump.used') : t('readout.active')) : undefined,
    reserved: reserved ? (isDump ? t('dump.total') : t('readout.reserved')) : undefined,
  };
}
