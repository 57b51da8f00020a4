import type { Choice, Deeds } from '../state/acting';
import { sourceName, type Desk } from './desk';

/** What can be done with the tabs. */
export function tabDeeds(desk: Desk): Deeds {
  const { tabs, active } = desk;
  const isRecording = (): boolean => desk.session.get() !== undefined;
  const isSeveral = (): boolean => tabs.get().length > 1;
  return {
    'new-tab': {
      run: () => {
        desk.show(undefined);
      },
      can: () => active.get() !== undefined,
    },
    'next-tab': {
      run: () => {
        desk.turn(1);
      },
    },
    'tab-before': {
      run: () => {
        desk.turn(-1);
      },
    },
    tab: { choices: () => choices(desk), can: isSeveral },
    'to-window': {
      run: () => void desk.moveToWindow(),
      can: () => isRecording() && isSeveral(),
    },
    'read-again': {
      run: () => {
        const id = active.get();
        if (id !== undefined) void desk.readAgain(id);
      },
      can: isRecording,
    },
  };
}

const choices = (desk: Desk): readonly Choice[] =>
  desk.tabs.get().map((tab) => ({
    label: sourceName(tab.source),
    isCurrent: desk.active.get() === tab.id,
    choose: () => {
      desk.show(tab.id);
    },
  }));
