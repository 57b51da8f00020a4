import { fieldOf, fieldsOf, textOf } from '../base/json';
import { Left } from '../base/left';
import { never } from '../base/never';
import { Store, type Readable } from '../base/store';
import { t } from '../text/t';
import type { Engine, Source } from '../wire/engine';
import { wireError } from '../wire/error';
import type { Opened, WireError } from '../wire/known';
import type { ProjectView } from '../wire/projects';
import { Comparison } from './compare/comparison';
import { packed, unpacked, type Looked } from './handover';
import { Project } from './project';
import { Session } from './session';
import { isSameSource, moved, type OpeningTab, type RecordingTab, type Tab } from './tabs';

/** The file beside which a recording was left, and how, among what is kept of it. */
const PARTNER = 'partner';

/** Something to tell. */
export interface Trouble {
  readonly error: WireError;
  /** The file that was refused, if that is what happened. */
  readonly refused: Source | undefined;
}

/** What lies on the table: the tabs, which of them is in front, and what went wrong. */
export class Desk {
  readonly #tabs = new Store<readonly Tab[]>([]);
  readonly #active = new Store<number | undefined>(undefined);
  readonly #session = new Store<Session | undefined>(undefined);
  readonly trouble = new Store<Trouble | undefined>(undefined);
  readonly isDropping = new Store(false);
  /** What was opened before, as far as it was read by now. */
  readonly before = new Store<readonly ProjectView[]>([]);
  /** The tab whose file was changed since it was read, once somebody asked for it again. */
  readonly changed = new Store<RecordingTab | undefined>(undefined);
  readonly #engine: Engine;
  /** Tabs that were in front, the last one last. */
  #visited: readonly number[] = [];
  #requests = 0;
  #ids = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get engine(): Engine {
    return this.#engine;
  }

  /** The tabs in their order. */
  get tabs(): Readable<readonly Tab[]> {
    return this.#tabs;
  }

  /** The id of the tab in front; nothing when the start page is. */
  get active(): Readable<number | undefined> {
    return this.#active;
  }

  /** The recording in front, if one is. */
  get session(): Readable<Session | undefined> {
    return this.#session;
  }

  /** Shows what the window was made for, and listens to files from elsewhere. */
  async start(): Promise<void> {
    try {
      await this.#engine.onAsked(() => void this.#ask());
      await this.#engine.onDrop((drop) => {
        this.isDropping.set(drop.kind === 'over');
        if (drop.kind === 'dropped') void this.openAll(drop.paths);
      });
      await this.#ask();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Opens what was asked for outside of the page. */
  async #ask(): Promise<void> {
    try {
      const { paths, handover } = await this.#engine.startup();
      if (handover !== undefined) await this.#adopt(handover.opened, unpacked(handover.state));
      await this.openAll(paths);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Goes on with a recording that comes from another window. */
  async #adopt(opened: Opened, looked: Looked): Promise<void> {
    this.#ids += 1;
    const id = this.#ids;
    const project = await this.#project(opened);
    project.adopt(looked);
    const session = new Session(this.#engine, opened, project, looked);
    const { source } = looked;
    this.#set([...this.#tabs.get(), { kind: 'recording', id, source, session }], id);
  }

  /** Moves the recording of a tab to a window of its own, with all of its state. */
  async moveToWindow(id = this.#active.get()): Promise<void> {
    const tab = id === undefined ? undefined : this.#tab(id);
    if (tab?.kind !== 'recording' || this.isCompared(tab.session)) return;
    try {
      await this.#engine.moveToWindow(tab.session.opened.session, packed(tab.source, tab.session));
      this.#remove(tab.id);
      tab.session.stop();
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

  /** Opens each of `paths` in a tab of its own; the first comes to the front. */
  async openAll(paths: readonly string[]): Promise<void> {
    await Promise.all(
      paths.map((path, index) =>
        this.open({ kind: 'file', path }, index === 0 ? 'front' : 'behind'),
      ),
    );
  }

  /** Reads what was opened before. */
  async readBefore(): Promise<void> {
    try {
      this.before.set((await this.#engine.projects.list()).projects);
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * Opens `source` in a tab, or goes to the tab where it is open. Answers the recording, or nothing
   * when there is none: the desk has told why. A partner is in front, and brings none of its own.
   */
  async open(
    source: Source,
    place: 'front' | 'behind' | 'partner' = 'front',
  ): Promise<Session | undefined> {
    const there = this.#tabs
      .get()
      .find((tab) => tab.kind !== 'compare' && isSameSource(tab.source, source));
    if (there !== undefined) {
      this.show(there.id);
      if (there.kind !== 'recording') return undefined;
      await this.#look(there);
      return there.session;
    }
    this.#ids += 1;
    const tab = this.#openingTab(this.#ids, source, undefined);
    this.trouble.set(undefined);
    this.#set([...this.#tabs.get(), tab], place === 'behind' ? this.#active.get() : tab.id);
    const session = await this.#read(tab);
    const listed = this.readBefore();
    if (session !== undefined && place === 'front') {
      // What is listed may be opened.
      void listed.then(() => this.#compareAgain(session));
    }
    return session;
  }

  /** Lays the recording beside the one that was beside it when it was left. */
  async #compareAgain(a: Session): Promise<void> {
    const partner = a.project.left.get(PARTNER);
    // Earlier the file was all that was kept.
    const path = textOf(fieldOf(partner, 'path') ?? partner);
    if (path === undefined) return;
    // A file that is gone is asked for once.
    a.project.left.put(PARTNER, undefined);
    const b = await this.open({ kind: 'file', path }, 'behind');
    if (b === undefined || this.#fileOf(a.opened.session) === undefined) return;
    this.compare(a, b, new Left(fieldsOf(fieldOf(partner, 'left'))));
  }

  /** The file of an open recording. */
  #fileOf(session: number): string | undefined {
    const tab = this.#recording(session);
    return tab?.source.kind === 'file' ? tab.source.path : undefined;
  }

  #recording(session: number): RecordingTab | undefined {
    const tab = this.#tabs
      .get()
      .find((one) => one.kind === 'recording' && one.session.opened.session === session);
    return tab?.kind === 'recording' ? tab : undefined;
  }

  /** Lays two open recordings beside each other, in a tab of their own; `left`: as they were. */
  compare(a: Session, b: Session, left?: Left): void {
    this.#ids += 1;
    const comparison = new Comparison(this.#engine, a.opened, b.opened, left);
    const partner = this.#fileOf(b.opened.session);
    const tab = { kind: 'compare', id: this.#ids, comparison, partner } as const;
    this.#set([...this.#tabs.get(), tab], tab.id);
    comparison.left.changes.subscribe(() => {
      this.#keepPartner(a.opened.session);
    });
  }

  /** Keeps what a recording lies beside, and how: of several comparisons the last one. */
  #keepPartner(session: number): void {
    const tab = this.#tabs
      .get()
      .findLast((one) => one.kind === 'compare' && one.comparison.opened[0] === session);
    const isKept = tab?.kind === 'compare' && tab.partner !== undefined;
    const kept = isKept ? { path: tab.partner, left: tab.comparison.left.all() } : undefined;
    this.#recording(session)?.session.project.left.put(PARTNER, kept);
  }

  /** Lets the person choose a file and compares `a` with it. */
  async compareWithFile(a: Session, title: string): Promise<void> {
    try {
      const path = await this.#engine.chooseFile(title);
      if (path !== undefined) await this.compareWith(a, path);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Opens the file at `path`, and lays it beside `a`. */
  async compareWith(a: Session, path: string): Promise<void> {
    const b = await this.open({ kind: 'file', path }, 'partner');
    // Who closed `a` meanwhile compares nothing with it.
    if (b !== undefined && this.#recording(a.opened.session) !== undefined) this.compare(a, b);
  }

  /** The tabs in which a recording lies beside another one. */
  comparisonsOf({ opened }: Session): readonly Tab[] {
    return this.#tabs.get().filter((tab) => tab.kind === 'compare' && uses(tab, opened.session));
  }

  /** Whether a recording is open beside another one. */
  isCompared(session: Session): boolean {
    return this.comparisonsOf(session).length > 0;
  }

  /** Reads the file of a tab once more; what the tab holds stays until that is done. */
  async readAgain(id: number): Promise<void> {
    const tab = this.#tab(id);
    if (tab?.kind !== 'recording') return;
    if (this.changed.get()?.id === id) this.changed.set(undefined);
    const opening = this.#openingTab(id, tab.source, tab);
    this.#replace(opening);
    this.show(id);
    await this.#read(opening);
  }

  /** Brings a tab to the front; nothing: the start page. */
  show(id: number | undefined): void {
    if (id !== undefined && this.#tab(id) === undefined) return;
    this.#set(this.#tabs.get(), id);
  }

  /** Brings the tab `by` places further to the front, round the ends. */
  turn(by: number): void {
    const tabs = this.#tabs.get();
    if (tabs.length === 0) return;
    const at = tabs.findIndex((tab) => tab.id === this.#active.get());
    const from = at < 0 && by < 0 ? 0 : at;
    this.show(tabs[(from + by + tabs.length) % tabs.length]?.id);
  }

  /** Moves a tab to place `to`. */
  move(id: number, to: number): void {
    this.#set(moved(this.#tabs.get(), id, to), this.#active.get());
  }

  /** Forgets what is being opened in a tab at once, and has the work for it stopped. */
  cancel(id = this.#active.get()): void {
    const tab = id === undefined ? undefined : this.#tab(id);
    if (tab?.kind !== 'opening') return;
    this.#giveUp(tab);
    this.#engine.cancel(tab.request).catch(this.fail);
  }

  /** Closes a tab, stops its work and gives back its memory; without tab: the start page. */
  close(id = this.#active.get()): void {
    const tab = id === undefined ? undefined : this.#tab(id);
    if (tab === undefined) {
      this.#set(this.#tabs.get(), this.#visited.at(-1));
      return;
    }
    this.#remove(tab.id);
    this.#release(tab);
  }

  /** Tells of a failure, unless it only says that what was asked about is no longer there. */
  readonly fail = (thrown: unknown): void => {
    const error = wireError(thrown);
    if (error.code === 'cancelled' || error.code === 'closed') return;
    this.trouble.set({ error, refused: undefined });
  };

  /** Gives back what a tab held that is no longer shown. */
  #release(tab: Tab): void {
    switch (tab.kind) {
      case 'recording':
        tab.session.stop();
        this.#closeUnused(tab.session.opened.session);
        return;
      case 'compare':
        tab.comparison.stop();
        this.#keepPartner(tab.comparison.sessions[0].opened.session);
        for (const session of new Set(tab.comparison.opened)) this.#closeUnused(session);
        return;
      case 'opening':
        this.#engine.cancel(tab.request).catch(this.fail);
        if (tab.before !== undefined) this.#release(tab.before);
        return;
      default:
        never(tab);
    }
  }

  /** Closes a recording that no tab shows any more. */
  #closeUnused(session: number): void {
    if (this.#tabs.get().some((tab) => uses(tab, session))) return;
    this.#engine.close(session).catch(this.fail);
  }

  async #read(tab: OpeningTab): Promise<Session | undefined> {
    const { id, source, request } = tab;
    try {
      const opened = await this.#engine.open(request, source, (now) => {
        const opening = this.#opening(request);
        if (opening !== undefined) this.#replace({ ...opening, now });
      });
      // Who gave up too late to stop it does not get into the list either.
      const project = this.#opening(request) && (await this.#project(opened));
      if (this.#opening(request) === undefined) {
        await this.#engine.close(opened.session);
        return undefined;
      }
      const session = new Session(this.#engine, opened, project);
      this.#replace({ kind: 'recording', id, source, session });
      if (tab.before !== undefined) this.#release(tab.before);
      return session;
    } catch (thrown) {
      const error = wireError(thrown);
      const opening = this.#opening(request);
      if (opening === undefined) return undefined;
      this.#giveUp(opening);
      if (error.code !== 'cancelled') this.trouble.set({ error, refused: source });
      return undefined;
    }
  }

  /** Offers to read a file again that was changed since. */
  async #look(tab: RecordingTab): Promise<void> {
    try {
      const isChanged = await this.#engine.changed(tab.session.opened.session);
      if (this.#tab(tab.id) === tab) this.changed.set(isChanged ? tab : undefined);
    } catch (error) {
      this.fail(error);
    }
  }

  #project(opened: Opened): Promise<Project> {
    return Project.opened(this.#engine, opened, this.fail);
  }

  #openingTab(id: number, source: Source, before: RecordingTab | undefined): OpeningTab {
    this.#requests += 1;
    return { kind: 'opening', id, source, request: this.#requests, now: undefined, before };
  }

  #giveUp(tab: OpeningTab): void {
    if (tab.before === undefined) this.#remove(tab.id);
    else this.#replace(tab.before);
  }

  #tab(id: number): Tab | undefined {
    return this.#tabs.get().find((tab) => tab.id === id);
  }

  #opening(request: number): OpeningTab | undefined {
    const tab = this.#tabs.get().find((one) => one.kind === 'opening' && one.request === request);
    return tab?.kind === 'opening' ? tab : undefined;
  }

  #replace(tab: Tab): void {
    this.#set(
      this.#tabs.get().map((one) => (one.id === tab.id ? tab : one)),
      this.#active.get(),
    );
  }

  #remove(id: number): void {
    if (this.changed.get()?.id === id) this.changed.set(undefined);
    this.#visited = this.#visited.filter((one) => one !== id);
    const active = this.#active.get();
    const tabs = this.#tabs.get();
    const at = tabs.findIndex((tab) => tab.id === id);
    const left = tabs.filter((tab) => tab.id !== id);
    // Of tabs that nobody has looked at yet, the one beside it.
    const next = this.#visited.at(-1) ?? left[Math.min(at, left.length - 1)]?.id;
    this.#set(left, active === id ? next : active);
  }

  #set(tabs: readonly Tab[], active: number | undefined): void {
    if (active !== undefined) {
      this.#visited = [...this.#visited.filter((one) => one !== active), active];
    }
    this.#tabs.set(tabs);
    this.#active.set(active);
    const front = tabs.find((tab) => tab.id === active);
    this.#session.set(front?.kind === 'recording' ? front.session : undefined);
  }
}

/** Whether a tab shows what was read as `session`. */
function uses(tab: Tab, session: number): boolean {
  switch (tab.kind) {
    case 'recording':
      return tab.session.opened.session === session;
    case 'opening':
      return tab.before?.session.opened.session === session;
    case 'compare':
      return tab.comparison.opened.includes(session);
  }
}

/** A name for what is being opened. */
export const sourceName = (source: Source): string =>
  source.kind === 'sample'
    ? t(`progress.sample.${source.which}`)
    : (source.path.split(/[\\/]/).findLast((part) => part !== '') ?? source.path);
