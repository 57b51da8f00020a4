import type { Choice, Deeds } from '../state/acting';
import { t } from '../text/t';
import { sourceName, type Desk } from './desk';
import type { Session } from './session';
import { sourceOf, type Tab } from './tabs';

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

/** What a recording can be compared with. */
export interface Partner extends Choice {
  readonly kind: 'open' | 'before' | 'file' | 'itself';
  /** Where it lies, of those that were opened before. */
  readonly folder: string | undefined;
}

/** What `here` can be compared with: others that are open, what was opened before, or a file. */
export function partnersOf(
  desk: Desk,
  here: Session,
  opened = desk.before.get(),
): readonly Partner[] {
  const partner = (
    kind: Partner['kind'],
    label: string,
    choose: () => void,
    folder?: string,
  ): Partner => ({ kind, label, isCurrent: false, choose, folder });
  const tabs = desk.tabs.get();
  const open = tabs.flatMap((tab) =>
    tab.kind !== 'recording' || tab.session === here
      ? []
      : [
          partner('open', tab.session.opened.summary.name, () => {
            desk.compare(here, tab.session);
          }),
        ],
  );
  const isOpen = (path: string): boolean =>
    tabs.some((tab) => {
      const source = sourceOf(tab);
      return source?.kind === 'file' && source.path === path;
    });
  const before = opened
    .filter(({ path }) => !isOpen(path))
    .map(({ name, folder, path }) =>
      partner('before', name, () => void desk.compareWith(here, path), folder),
    );
  return [
    ...open,
    ...before,
    partner('file', t('compare.file'), () => void desk.compareWithFile(here, t('compare.file'))),
    partner('itself', t('compare.itself'), () => {
      desk.compare(here, here);
    }),
  ];
}

/** What the recording in front can be compared with. */
export function partners(desk: Desk): readonly Choice[] {
  const here = desk.session.get();
  if (here === undefined) return [];
  return partnersOf(desk, here).map((one) => ({
    ...one,
    label: one.folder === undefined ? one.label : `${one.label} · ${one.folder}`,
  }));
}
