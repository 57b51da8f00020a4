import { fieldOf, fieldsOf, parsed } from '../base/json';
import { Left } from '../base/left';
import { Store } from '../base/store';
import { readPlace, type Bookmark, type BookmarkPlace } from '../state/bookmark';
import { restored, savedOf } from '../state/saved';
import type { Shared } from '../state/shared';
import type { Engine } from '../wire/engine';
import type { EventRef, Opened } from '../wire/known';
import type { ProjectOpened } from '../wire/projects';
import type { Looked } from './handover';

/** The form of what is kept; one that the page does not know is not read. */
const FORM = 1;
/** What changed is kept when the hand rests, and after that long at the latest. */
const REST_MS = 400;
const LATEST_MS = 2000;

/** What is remembered of one open recording: where it was left, and its bookmarks. */
export class Project {
  /** How the views were left. */
  readonly left: Left;
  readonly bookmarks: Store<readonly Bookmark[]>;
  /** Whether the file has other content than when it was opened last. */
  readonly isChanged: boolean;
  /** Whether what is done here is there the next time. */
  readonly isKept: boolean;
  readonly #engine: Engine;
  readonly #opened: Opened;
  readonly #id: number | undefined;
  readonly #failed: (error: unknown) => void;
  readonly #shared: unknown;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since: number | undefined;
  #state: (() => string) | undefined;
  #last: string | undefined;

  constructor(
    engine: Engine,
    opened: Opened,
    project: ProjectOpened | undefined,
    failed: (error: unknown) => void,
    state = parsed(project?.state ?? 'null'),
  ) {
    this.#engine = engine;
    this.#opened = opened;
    this.#id = project?.id;
    this.#failed = failed;
    this.isKept = project !== undefined;
    this.isChanged = project?.left === 'changed';
    const isKnown = fieldOf(state, 'form') === FORM;
    this.#shared = isKnown ? fieldOf(state, 'shared') : undefined;
    this.left = new Left(isKnown ? fieldsOf(fieldOf(state, 'views')) : {});
    this.bookmarks = new Store<readonly Bookmark[]>(
      (project?.bookmarks ?? []).map(({ id, note, place, is_current: isCurrent }) => ({
        id,
        note,
        place: isCurrent ? readPlace(place, opened) : undefined,
        isCurrent,
      })),
    );
  }

  /** Of a recording of which nothing is remembered here; whoever does so gives its `state`. */
  static unkept(engine: Engine, opened: Opened, state?: unknown): Project {
    return new Project(engine, opened, undefined, () => undefined, state);
  }

  /** Puts a recording that was opened in the list. Where that fails, it is open all the same. */
  static async opened(
    engine: Engine,
    opened: Opened,
    failed: (error: unknown) => void,
  ): Promise<Project> {
    try {
      const project = await engine.projects.opened(opened.session);
      return new Project(engine, opened, project, failed);
    } catch (error) {
      failed(error);
      return new Project(engine, opened, undefined, failed);
    }
  }

  /** Goes on from another window, which may know what is not kept yet or never will be. */
  adopt({ views, bookmarks }: Pick<Looked, 'views' | 'bookmarks'>): void {
    for (const [name, value] of Object.entries(views)) this.left.put(name, value);
    if (!this.isKept) this.bookmarks.set(bookmarks);
  }

  /** The state that the recording was left in; the first one when it never was. */
  restored(): Shared {
    return restored(this.#shared, this.#opened);
  }

  /** What there is to keep of the state, and of how the views are. */
  stateOf(shared: Shared): unknown {
    return { form: FORM, shared: savedOf(shared), views: this.left.all() };
  }

  /** Keeps the state, and how the views are, when they have come to rest. */
  look(shared: Shared): void {
    if (this.#id === undefined) return;
    this.#state = () => JSON.stringify(this.stateOf(shared));
    // What was there at first is no change.
    this.#last ??= this.#state();
    clearTimeout(this.#timer);
    const now = performance.now();
    this.#since ??= now;
    const wait = Math.max(0, Math.min(REST_MS, this.#since + LATEST_MS - now));
    this.#timer = setTimeout(this.flush, wait);
  }

  /** Keeps it now. */
  readonly flush = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#since = undefined;
    const text = this.#state?.();
    if (text === undefined || text === this.#last || this.#id === undefined) return;
    this.#last = text;
    this.#engine.projects.save(this.#opened.session, this.#id, text).catch(this.#failed);
  };

  /** Keeps a place; answers with the bookmark's id. */
  async mark(place: BookmarkPlace): Promise<number | undefined> {
    try {
      const timed = { ...place, mark: await this.#timed(place) };
      const id = await this.#added(timed);
      const bookmark = { id, note: '', place: timed, isCurrent: true };
      this.bookmarks.set([...this.bookmarks.get(), bookmark]);
      return id;
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  note(id: number, note: string): void {
    const before = this.bookmarks.get();
    if (before.find((one) => one.id === id)?.note === note) return;
    this.bookmarks.set(before.map((one) => (one.id === id ? { ...one, note } : one)));
    if (this.#id !== undefined) this.#engine.projects.changeNote(id, note).catch(this.#failed);
  }

  unmark(id: number): void {
    this.bookmarks.set(this.bookmarks.get().filter((one) => one.id !== id));
    if (this.#id !== undefined) this.#engine.projects.removeBookmark(id).catch(this.#failed);
  }

  /** The event of a place, with its time, which the time axis needs. */
  async #timed({ device, mark }: BookmarkPlace): Promise<EventRef> {
    if (mark.event < 0 || mark.time_us !== undefined) return mark;
    const { event, time_us } = await this.#engine.event(this.#opened.session, device, mark.event);
    return { event, time_us };
  }

  #added(place: BookmarkPlace): Promise<number> {
    if (this.#id !== undefined) {
      return this.#engine.projects.addBookmark(this.#id, JSON.stringify(place), '');
    }
    const ids = this.bookmarks.get().map(({ id }) => id);
    return Promise.resolve(Math.max(0, ...ids) + 1);
  }
}
