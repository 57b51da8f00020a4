import type { Key } from '../text/keys';

/** A key as it is written on it, or a gesture in words. */
type Press = string | { readonly words: Key };

const scroll: Press = { words: 'help.keys.scroll' };
const drag: Press = { words: 'help.keys.drag' };
const click: Press = { words: 'help.keys.click' };

/** What the pointer does, and keys that belong to one picture only; the others are commands'. */
export const HELP_ROWS: readonly (readonly [presses: readonly Press[], what: Key])[] = [
  [[scroll], 'help.zoom'],
  [['Ctrl', scroll], 'help.zoomBytes'],
  [['Shift', scroll], 'help.sideways'],
  [[drag], 'help.move'],
  [['Shift', drag], 'help.period'],
  [[click], 'help.select'],
  [['Shift', click], 'help.segment'],
  [[{ words: 'help.keys.doubleClick' }], 'help.fitLife'],
  [['Ctrl', scroll], 'map.help.zoom'],
  [[click], 'map.help.click'],
  [['Backspace', 'Esc'], 'dump.help.up'],
  [['Ctrl', '1…9'], 'tabs.help.place'],
  [['Shift', 'Enter'], 'holders.help.row'],
  [['↑', '↓', '←', '→', 'Enter'], 'holders.help.tree'],
  [['Shift', 'Enter'], 'holders.help.open'],
];
