import type { Deed, Deeds } from '../state/acting';
import type { CommandId } from '../state/commands';
import { extent, linesOf } from '../state/shared';
import type { Intent } from '../state/update';
import { VIEW_COMMANDS, viewIntent } from '../views/lifecycle/keys';
import type { Session } from './session';

/** What the commands of the pictures do to the session that `of` names when one is called. */
export function viewDeeds(of: () => Session, isNothing: () => boolean): Deeds {
  const shared = (): ReturnType<Session['shared']['get']> => of().shared.get();
  const intentOf = (id: (typeof VIEW_COMMANDS)[number]): Intent | undefined => {
    const at = of().hover.get();
    const x = at.kind === 'at' ? at.reading?.x : of().pointer.get();
    return viewIntent(id, shared(), x);
  };
  const view = (id: (typeof VIEW_COMMANDS)[number]): [CommandId, Deed] => [
    id,
    {
      run: () => {
        const intent = intentOf(id);
        if (intent !== undefined) of().send(intent);
      },
      can: () => !isNothing() && intentOf(id) !== undefined,
    },
  ];
  const sending = (intent: () => Intent, can?: () => boolean): Deed => ({
    run: () => {
      of().send(intent());
    },
    ...(can === undefined ? {} : { can }),
  });
  const haveEvents = (): boolean => extent(shared()).events > 0;
  return {
    ...Object.fromEntries(VIEW_COMMANDS.map(view)),
    'fit-reserved': sending(
      () => ({ kind: 'fit-reserved', fit: shared().fitReserved === 'always' ? 'near' : 'always' }),
      () => linesOf(shared()).reserved,
    ),
    'event-before': sending(() => ({ kind: 'step', by: -1 }), haveEvents),
    'event-after': sending(() => ({ kind: 'step', by: 1 }), haveEvents),
    back: sending(() => ({ kind: 'back' })),
    forward: sending(() => ({ kind: 'forward' })),
  };
}
