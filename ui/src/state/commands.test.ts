import { expect, test } from 'vitest';
import { palette } from '../text/en/palette';
import { Acting } from './acting';
import { capsOf, commandOf, COMMAND_IDS, COMMANDS, withKeys, type Pressed } from './commands';

const press = (key: string, held: Partial<Pressed> = {}): Pressed => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

test('no two commands have the same keys, and every command has a name', () => {
  const chords = COMMAND_IDS.flatMap((id) => COMMANDS[id].keys);
  expect(chords.filter((chord, at) => chords.indexOf(chord) !== at)).toEqual([]);
  expect(Object.keys(palette.names).sort()).toEqual([...COMMAND_IDS].sort());
  const names = Object.values(palette.names);
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  [press('p'), 'peak'],
  [press('P', { shiftKey: true }), 'peak'],
  [press('p', { ctrlKey: true }), undefined],
  [press('k', { metaKey: true }), 'palette'],
  [press('K', { ctrlKey: true, shiftKey: true }), undefined],
  [press('O', { ctrlKey: true, shiftKey: true }), 'open-folder'],
  [press('o', { ctrlKey: true }), 'open'],
  [press('?', { shiftKey: true }), 'help'],
  [press('+', { shiftKey: true }), 'zoom-in'],
  [press('ArrowLeft'), 'pan-left'],
  [press('ArrowLeft', { altKey: true }), 'back'],
  [press('ArrowLeft', { shiftKey: true }), undefined],
  [press('F6', { shiftKey: true }), 'pane-before'],
  [press('q'), undefined],
] as const)('%o calls for %s', (pressed, id) => {
  expect(commandOf(pressed)).toBe(id);
});

test('keys are written as the keyboard has them', () => {
  expect(capsOf('mod+shift+o', false)).toEqual(['Ctrl', 'Shift', 'O']);
  expect(capsOf('mod+k', true)).toEqual(['⌘', 'K']);
  expect(capsOf('+')).toEqual(['+']);
  expect(capsOf('alt+ArrowLeft', false)).toEqual(['Alt', '←']);
  expect(withKeys('Peak', 'peak')).toBe('Peak (P)');
  expect(withKeys('Theme', 'theme')).toBe('Theme');
});

test('a command is done by everybody who can, and by nobody who cannot', () => {
  const acting = new Acting();
  const done: string[] = [];
  let can = false;
  const run = (name: string) => () => void done.push(name);
  acting.offer({ whole: { run: run('picture') } });
  const end = acting.offer({
    whole: { run: run('map') },
    fit: { run: run('fit'), can: () => can },
  });
  expect(acting.run('whole')).toBe(true);
  expect(done).toEqual(['picture', 'map']);
  expect(acting.run('fit')).toBe(false);
  can = true;
  expect(acting.possible()).toEqual(['whole', 'fit']);
  end();
  expect(acting.can('fit')).toBe(false);
});

test('keys mean nothing while something lies over the views, but those that always do', () => {
  const acting = new Acting();
  const done: string[] = [];
  let prevented = 0;
  const event = (pressed: Pressed) => ({ ...pressed, preventDefault: () => void (prevented += 1) });
  acting.offer({
    peak: { run: () => void done.push('peak') },
    palette: { run: () => void done.push('palette') },
    'find-events': { run: () => void done.push('find'), hears: () => false },
  });
  acting.isCovered = () => true;
  expect(acting.press(event(press('p')))).toBe(false);
  expect(acting.press(event(press('k', { ctrlKey: true })))).toBe(true);
  acting.isCovered = () => false;
  expect(acting.press(event(press('p')))).toBe(true);
  // A key that means something else here is left to it.
  expect(acting.press(event(press('f', { ctrlKey: true })))).toBe(false);
  expect(acting.run('find-events')).toBe(true);
  expect([done, prevented]).toEqual([['palette', 'peak', 'find'], 2]);
});
