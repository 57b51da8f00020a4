/** The words of tabs; part of `en`. */
export const tabs = {
  label: 'Open recordings',
  add: 'Open another recording',
  start: 'Start',
  opening: 'opening…',
  openingShare: 'opening · {{percent}}',
  cancel: 'Stop opening {{name}}',
  changed: '{{name}} has changed',
  changedText:
    'The file is another one than when it was read. What is shown is what was read then.',
  readAgain: 'Read again',
  keep: 'Keep as it is',
  menu: 'What to do with the tab',
  toWindow: 'Move to a new window',
  toWindowAlone: 'End the comparison, move to a new window',
  stuck: {
    compare: 'A comparison stays with its recordings: move one of them.',
    opening: 'It can be moved once it is open.',
    only: 'It is the only one in this window.',
  },
  copyPath: 'Copy the path',
  close: 'Close',
  closeOthers: 'Close the others',
  closeRight: 'Close those to the right',
  help: { place: 'a tab by its place, 9 the last' },
} as const;
