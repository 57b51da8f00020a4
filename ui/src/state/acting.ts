import { getContext, setContext } from 'svelte';
import { commandOf, COMMAND_IDS, COMMANDS, type CommandId, type Pressed } from './commands';

/** One of several things that a command can set. */
export interface Choice {
  readonly label: string;
  readonly isCurrent: boolean;
  readonly choose: () => void;
}

/** How something that is on the screen does a command. */
export interface Deed {
  readonly run?: () => void;
  /** What there is to choose from, where it is not done at once. */
  readonly choices?: () => readonly Choice[];
  /** Whether it is possible now; always, if it does not say. */
  readonly can?: () => boolean;
  /** Whether its keys mean it now, where they may mean something else. */
  readonly hears?: () => boolean;
}

export type Deeds = Readonly<Partial<Record<CommandId, Deed>>>;

interface Offer {
  readonly deeds: Deeds;
  readonly isOn: () => boolean;
}

/** What can be done now, as told by what is on the screen. */
export class Acting {
  readonly #offers: Offer[];
  readonly #isOn: () => boolean;
  /** Whether something lies over the views that takes the keys. */
  isCovered: () => boolean = () => false;

  constructor(offers: Offer[] = [], isOn: () => boolean = () => true) {
    this.#offers = offers;
    this.#isOn = isOn;
  }

  /** For a part of the page: what is offered there can be done while `isOn` only. */
  within(isOn: () => boolean): Acting {
    return new Acting(this.#offers, () => this.#isOn() && isOn());
  }

  /** Says how commands are done, until the answer is called. */
  offer(deeds: Deeds): () => void {
    const offer = { deeds, isOn: this.#isOn };
    this.#offers.push(offer);
    return () => {
      this.#offers.splice(this.#offers.indexOf(offer), 1);
    };
  }

  /** Whether `id` is possible now. */
  can(id: CommandId): boolean {
    return this.#deeds(id).length > 0;
  }

  /** Does `id` wherever it is possible; whether it was anywhere. */
  run(id: CommandId): boolean {
    const deeds = this.#deeds(id).filter(({ run }) => run !== undefined);
    for (const { run } of deeds) run?.();
    return deeds.length > 0;
  }

  /** What `id` can be set to. */
  choices(id: CommandId): readonly Choice[] {
    return this.#deeds(id).flatMap(({ choices }) => choices?.() ?? []);
  }

  /** Whether `id` is done at once. */
  isDirect(id: CommandId): boolean {
    return this.#deeds(id).some(({ run }) => run !== undefined);
  }

  /** All that is possible now, in the order of the registry. */
  possible(): readonly CommandId[] {
    return COMMAND_IDS.filter((id) => this.can(id));
  }

  /** Does what a key calls for; whether it was one of ours. */
  press(event: Pressed & { preventDefault(): void }): boolean {
    const id = commandOf(event);
    if (id === undefined || (this.isCovered() && COMMANDS[id].isAlways !== true)) return false;
    const deeds = this.#deeds(id).filter((deed) => deed.run && deed.hears?.() !== false);
    for (const { run } of deeds) run?.();
    if (deeds.length > 0) event.preventDefault();
    return deeds.length > 0;
  }

  #deeds(id: CommandId): readonly Deed[] {
    return this.#offers.flatMap(({ deeds, isOn }) => {
      const deed = deeds[id];
      return isOn() && deed !== undefined && deed.can?.() !== false ? [deed] : [];
    });
  }
}

const KEY = Symbol('acting');

/** Lets all that is below in the page say what it can do. */
export const provideActing = (acting: Acting): Acting => setContext(KEY, acting);

/** What the page can do; where nobody asks, nobody hears. */
export function acting(): Acting {
  const found: unknown = getContext(KEY);
  return found instanceof Acting ? found : new Acting();
}
