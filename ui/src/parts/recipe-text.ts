import { t } from '../text/t';
import type { Parameter } from './recipes';

/** `None, keep all`: what a parameter is when it is left out. */
export const otherwiseText = ({ otherwise: { code, words } }: Parameter): string =>
  [code, words && t(words)].filter((part) => part !== undefined).join(', ');
