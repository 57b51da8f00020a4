/**
 * Every action of the app, by a name of its own: what calls for it, and where it belongs.
 *
 * Keys stand here and nowhere else; help, titles and the palette read them from here. What an
 * action does is told by whoever can do it, see `Acting`; its words are in the catalogue.
 */

export const GROUPS = ['file', 'view', 'go', 'pool', 'dump', 'tables', 'details', 'app'] as const;

export type Group = (typeof GROUPS)[number];

interface Definition {
  readonly group: Group;
  /**
   * Any of these, with `mod+` (Ctrl or ⌘), `alt+` and `shift+` before the key as the browser
   * names it.
   */
  readonly keys: readonly string[];
  /** Whether its keys work while something lies over the views. */
  readonly isAlways?: boolean;
}

const define = <Id extends string>(
  commands: Readonly<Record<Id, Definition>>,
): Readonly<Record<Id, Definition>> => commands;

export const COMMANDS = define({
  open: { group: 'file', keys: ['mod+o'], isAlways: true },
  'open-folder': { group: 'file', keys: ['mod+shift+o'], isAlways: true },
  sample: { group: 'file', keys: [] },
  'compare-with': { group: 'file', keys: [] },
  close: { group: 'file', keys: ['mod+w'] },
  'new-tab': { group: 'file', keys: ['mod+t'] },
  'next-tab': { group: 'file', keys: ['mod+Tab', 'mod+PageDown'] },
  'tab-before': { group: 'file', keys: ['mod+shift+Tab', 'mod+PageUp'] },
  tab: { group: 'file', keys: [] },
  'to-window': { group: 'file', keys: ['mod+shift+n'] },
  'read-again': { group: 'file', keys: [] },

  device: { group: 'view', keys: [] },
  axis: { group: 'view', keys: [] },
  colour: { group: 'view', keys: [] },
  'zoom-in': { group: 'view', keys: ['w', '+', '='] },
  'zoom-out': { group: 'view', keys: ['s', '-', '_'] },
  'pan-left': { group: 'view', keys: ['a', 'ArrowLeft'] },
  'pan-right': { group: 'view', keys: ['d', 'ArrowRight'] },
  whole: { group: 'view', keys: ['r'] },
  box: { group: 'view', keys: ['b'] },
  period: { group: 'view', keys: ['t'] },
  'fit-reserved': { group: 'view', keys: [] },
  'lifecycle-fold': { group: 'view', keys: [] },

  peak: { group: 'go', keys: ['p'] },
  'step-before': { group: 'go', keys: ['['] },
  'step-after': { group: 'go', keys: [']'] },
  'event-before': { group: 'go', keys: ['ArrowUp'] },
  'event-after': { group: 'go', keys: ['ArrowDown'] },
  back: { group: 'go', keys: ['alt+ArrowLeft'] },
  forward: { group: 'go', keys: ['alt+ArrowRight'] },

  side: { group: 'pool', keys: [','] },
  fit: { group: 'pool', keys: ['f'] },
  natural: { group: 'pool', keys: ['1'] },
  'pool-order': { group: 'pool', keys: [] },
  'pool-group': { group: 'pool', keys: [] },
  'pool-fold': { group: 'pool', keys: [] },
  'find-events': { group: 'pool', keys: ['mod+f'] },
  'map-order': { group: 'pool', keys: [] },

  compare: { group: 'dump', keys: ['c'] },
  'copy-parts': { group: 'dump', keys: [] },
  'decomposition-fold': { group: 'dump', keys: [] },
  'flame-fold': { group: 'dump', keys: [] },
  'flame-thread': { group: 'dump', keys: [] },
  'flame-compress': { group: 'dump', keys: [] },
  'find-calls': { group: 'dump', keys: ['/'] },

  tables: { group: 'tables', keys: [] },
  'tables-fold': { group: 'tables', keys: [] },
  'table-scope': { group: 'tables', keys: [] },
  'clear-filters': { group: 'tables', keys: [] },
  'table-unit': { group: 'tables', keys: [] },
  'table-columns': { group: 'tables', keys: [] },
  'table-export': { group: 'tables', keys: [] },

  deselect: { group: 'details', keys: ['Escape'] },
  pin: { group: 'details', keys: [] },
  bookmark: { group: 'details', keys: ['m'] },
  bookmarks: { group: 'details', keys: [] },

  palette: { group: 'app', keys: ['mod+k'], isAlways: true },
  theme: { group: 'app', keys: [] },
  language: { group: 'app', keys: [] },
  guide: { group: 'app', keys: [] },
  help: { group: 'app', keys: ['?'], isAlways: true },
  about: { group: 'app', keys: [] },
  'next-pane': { group: 'app', keys: ['F6'] },
  'pane-before': { group: 'app', keys: ['shift+F6'] },
});

export type CommandId = keyof typeof COMMANDS;

const isCommand = (id: string): id is CommandId => id in COMMANDS;

export const COMMAND_IDS: readonly CommandId[] = Object.keys(COMMANDS).filter(isCommand);

/** What of a pressed key tells what is meant. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Whether `pressed` is the chord `keys` speaks of. */
export function isChord(chord: string, pressed: Pressed): boolean {
  const { held, key } = partsOf(chord);
  const isNamed = key.length > 1;
  const isLetter = /^[a-z]$/.test(key);
  const isShiftTold = isNamed || held.includes('mod') || held.includes('shift');
  return (
    (isLetter ? pressed.key.toLowerCase() : pressed.key) === key &&
    (pressed.ctrlKey || pressed.metaKey) === held.includes('mod') &&
    pressed.altKey === held.includes('alt') &&
    // Shift makes a sign another sign, which is told by `key`.
    (!isShiftTold || pressed.shiftKey === held.includes('shift'))
  );
}

/** The command that `pressed` calls for. */
export const commandOf = (pressed: Pressed): CommandId | undefined =>
  COMMAND_IDS.find((id) => COMMANDS[id].keys.some((chord) => isChord(chord, pressed)));

const isMac = (): boolean =>
  typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

const SIGNS: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  '-': '−',
};

/** The caps of a chord as a keyboard has them: `Ctrl`, `K`. */
export function capsOf(chord: string, mac = isMac()): readonly string[] {
  const { held, key } = partsOf(chord);
  const caps = held.map((one) => {
    if (one === 'mod') return mac ? '⌘' : 'Ctrl';
    if (one === 'alt') return mac ? '⌥' : 'Alt';
    return 'Shift';
  });
  return [...caps, SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key)];
}

/** `text`, and in brackets the first keys of a command, for titles of buttons. */
export function withKeys(text: string, id: CommandId): string {
  const [chord] = COMMANDS[id].keys;
  return chord === undefined ? text : `${text} (${capsOf(chord).join('+')})`;
}

type Held = 'mod' | 'alt' | 'shift';

const isHeld = (part: string): part is Held => part === 'mod' || part === 'alt' || part === 'shift';

/** What is held, and the key itself, which may be a plus. */
function partsOf(chord: string): { readonly held: readonly Held[]; readonly key: string } {
  const at = chord.length === 1 ? -1 : chord.lastIndexOf('+', chord.length - 2);
  return {
    held: chord.slice(0, Math.max(at, 0)).split('+').filter(isHeld),
    key: chord.slice(at + 1),
  };
}
