import type { Choice, Deeds } from '../state/acting';
import { t } from '../text/t';
import { sourceName, type Desk } from './desk';
import type { Tab } from './tabs';

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
    'compare-with': { choices: () => partners(desk), can: isRecording },
    'to-window': {
      run: () => void desk.moveToWindow(),
      can: () => {
        const session = desk.session.get();
        return session !== undefined && isSeveral() && !desk.isCompared(session);
      },
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
    label: tabName(tab),
    isCurrent: desk.active.get() === tab.id,
    choose: () => {
      desk.show(tab.id);
    },
  }));

/** What a tab is called. */
export function tabName(tab: Tab): string {
  if (tab.kind !== 'compare') return sourceName(tab.source);
  const [a, b] = tab.comparison.name;
  return t('compare.title', { a, b });
}

/** What the recording in front can be compared with: others that are open, or a file. */
export function partners(desk: Desk): readonly Choice[] {
  const here = desk.session.get();
  if (here === undefined) return [];
  const others = desk.tabs.get().flatMap((tab) =>
    tab.kind !== 'recording' || tab.session === here
      ? []
      : [
          {
            label: tab.session.opened.summary.name,
            isCurrent: false,
            choose: () => {
              desk.compare(here, tab.session);
            },
          },
        ],
  );
  const file = {
    label: t('compare.file'),
    isCurrent: false,
    choose: () => void desk.compareWithFile(here, t('compare.file')),
  };
  const itself = {
    label: t('compare.itself'),
    isCurrent: false,
    choose: () => {
      desk.compare(here, here);
    },
  };
  return [...others, file, itself];
}
