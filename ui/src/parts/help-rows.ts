import type { Key } from '../text/keys';

/** A key as it is written on it, or a gesture in words. */
type Press = string | { readonly words: Key };

const scroll: Press = { words: 'help.keys.scroll' };
const drag: Press = { words: 'help.keys.drag' };
const click: Press = { words: 'help.keys.click' };

/** The card of keys: what is pressed, and what it does. */
export const HELP_ROWS: readonly (readonly [presses: readonly Press[], what: Key])[] = [
  [[scroll], 'help.zoom'],
  [['Ctrl', scroll], 'help.zoomBytes'],
  [['Shift', scroll], 'help.sideways'],
  [[drag], 'help.move'],
  [['Shift', drag], 'help.period'],
  [[click], 'help.select'],
  [['Shift', click], 'help.segment'],
  [[{ words: 'help.keys.doubleClick' }], 'help.fitLife'],
  [['W', 'S', '+', '−'], 'help.inOut'],
  [['A', 'D', '←', '→'], 'help.leftRight'],
  [['B'], 'help.box'],
  [['P'], 'help.peak'],
  [['R'], 'help.everything'],
  [['[', ']'], 'help.steps'],
  [['↑', '↓'], 'help.oneEvent'],
  [[','], 'help.side'],
  [['F', '1'], 'help.wholePool'],
  [['Ctrl', 'F'], 'help.search'],
  [['Ctrl', scroll], 'map.help.zoom'],
  [[click], 'map.help.click'],
  [['B', 'R'], 'map.help.box'],
  [['C'], 'dump.help.compare'],
  [['Backspace', 'Esc'], 'dump.help.up'],
  [['F'], 'dump.help.all'],
  [['Alt', '←', '→'], 'help.history'],
  [['M'], 'projects.marks.help'],
  [['Esc'], 'help.escape'],
  [['Ctrl', 'O'], 'help.open'],
  [['?'], 'help.card'],
];
