import { Store } from '../base/store';
import type { Engine, Source } from '../wire/engine';
import { t } from '../text/t';
import { wireError } from '../wire/error';
import type { ProgressNow, WireError } from '../wire/known';
import { Project } from './project';
import { Session } from './session';

/** A recording that is being opened. */
export interface Opening {
  readonly request: number;
  readonly source: Source;
  readonly now: ProgressNow | undefined;
}

/** Something to tell. */
export interface Trouble {
  readonly error: WireError;
  /** The file that was refused, if that is what happened. */
  readonly refused: Source | undefined;
}

/** What lies on the table: the open recording, the one being opened, and what went wrong. */
export class Desk {
  readonly session = new Store<Session | undefined>(undefined);
  readonly opening = new Store<Opening | undefined>(undefined);
  readonly trouble = new Store<Trouble | undefined>(undefined);
  readonly isDropping = new Store(false);
  readonly #engine: Engine;
  #requests = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get engine(): Engine {
    return this.#engine;
  }

  /** Opens what the command line names, and listens to files dropped on the window. */
  async start(): Promise<void> {
    try {
      await this.#engine.onDrop((drop) => {
        this.isDropping.set(drop.kind === 'over');
        const path = drop.kind === 'dropped' ? drop.paths[0] : undefined;
        if (path !== undefined) void this.open({ kind: 'file', path });
      });
      const path = await this.#engine.startup();
      if (path !== undefined) await this.open({ kind: 'file', path });
    } catch (error) {
      this.fail(error);
    }
  }

  /** Lets the person choose a file and opens it. */
  async choose(title: string): Promise<void> {
    try {
      const path = await this.#engine.chooseFile(title);
      if (path !== undefined) await this.open({ kind: 'file', path });
    } catch (error) {
      this.fail(error);
    }
  }

  /** Lets the person choose a folder and opens it. */
  async chooseFolder(title: string): Promise<void> {
    try {
      const path = await this.#engine.chooseFolder(title);
      if (path !== undefined) await this.open({ kind: 'file', path });
    } catch (error) {
      this.fail(error);
    }
  }

  /** Opens `source` in place of what is open; a refusal leaves that alone. */
  async open(source: Source): Promise<void> {
    if (this.opening.get() !== undefined) return;
    this.#requests += 1;
    const request = this.#requests;
    this.trouble.set(undefined);
    this.opening.set({ request, source, now: undefined });
    try {
      const opened = await this.#engine.open(request, source, (now) => {
        this.#progressed(request, now);
      });
      if (this.opening.get()?.request !== request) {
        // Cancelled too late to stop it: what was opened is not wanted any more.
        await this.#engine.close(opened.session);
        return;
      }
      const project = await Project.opened(this.#engine, opened, this.fail);
      this.close();
      this.session.set(new Session(this.#engine, opened, project));
    } catch (thrown) {
      const error = wireError(thrown);
      const isWanted = this.opening.get()?.request === request;
      if (isWanted && error.code !== 'cancelled') this.trouble.set({ error, refused: source });
    } finally {
      if (this.opening.get()?.request === request) this.opening.set(undefined);
    }
  }

  /** Forgets what is being opened at once, and has the work for it stopped. */
  cancel(): void {
    const opening = this.opening.get();
    if (opening === undefined) return;
    this.opening.set(undefined);
    this.#engine.cancel(opening.request).catch(this.fail);
  }

  close(): void {
    const session = this.session.get();
    if (session === undefined) return;
    session.stop();
    this.session.set(undefined);
    this.#engine.close(session.opened.session).catch(this.fail);
  }

  /** Tells of a failure, unless it only says that what was asked about is no longer there. */
  readonly fail = (thrown: unknown): void => {
    const error = wireError(thrown);
    if (error.code === 'cancelled' || error.code === 'closed') return;
    this.trouble.set({ error, refused: undefined });
  };

  #progressed(request: number, now: ProgressNow): void {
    const opening = this.opening.get();
    if (opening?.request === request) this.opening.set({ ...opening, now });
  }
}

/** A name for what is being opened. */
export const sourceName = (source: Source): string =>
  source.kind === 'sample'
    ? t(`progress.sample.${source.which}`)
    : (source.path.split(/[\\/]/).findLast((part) => part !== '') ?? source.path);
