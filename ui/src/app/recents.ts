import { Store } from '../base/store';
import type { ProjectEngine, ProjectFile, ProjectTrouble, ProjectView } from '../wire/projects';

/** What is asked about a project before it is done. */
export type Asked =
  | { readonly kind: 'remove'; readonly id: number }
  /** The file that was chosen is not the one that was opened. */
  | { readonly kind: 'other'; readonly id: number; readonly path: string };

/** What the start page knows of what was opened before. */
export class Recents {
  /** Nothing until it was read. */
  readonly list = new Store<readonly ProjectView[] | undefined>(undefined);
  /** How each file is, as far as that is known by now. */
  readonly files = new Store<ReadonlyMap<number, ProjectFile>>(new Map());
  /** What has to be told about the list. */
  readonly trouble = new Store<ProjectTrouble | undefined>(undefined);
  readonly #engine: ProjectEngine;
  readonly #failed: (error: unknown) => void;
  #isStopped = false;

  constructor(engine: ProjectEngine, failed: (error: unknown) => void) {
    this.#engine = engine;
    this.#failed = failed;
  }

  /** Reads the list, then looks after the files: a slow disk holds up nothing but its own mark. */
  async read(): Promise<void> {
    try {
      const { projects, trouble } = await this.#engine.list();
      if (this.#isStopped) return;
      this.list.set(projects);
      this.trouble.set(trouble);
      for (const { id } of projects) void this.#look(id);
    } catch (error) {
      this.list.set([]);
      this.#failed(error);
    }
  }

  async pin(project: ProjectView): Promise<void> {
    await this.#change(() =>
      project.pinned ? this.#engine.unpin(project.id) : this.#engine.pin(project.id),
    );
  }

  async remove(project: ProjectView): Promise<void> {
    await this.#change(() => this.#engine.remove(project.id));
  }

  /** Whether the file at `path` has the content that the project had. */
  compare(project: ProjectView, path: string): Promise<ProjectFile> {
    return this.#engine.compare(project.id, path);
  }

  async relocate(project: ProjectView, path: string): Promise<void> {
    await this.#change(() => this.#engine.relocate(project.id, path));
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #change(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failed(error);
    }
    await this.read();
  }

  async #look(project: number): Promise<void> {
    try {
      const file = await this.#engine.file(project);
      if (this.#isStopped) return;
      this.files.set(new Map(this.files.get()).set(project, file));
    } catch (error) {
      if (!this.#isStopped) this.#failed(error);
    }
  }
}

/** The projects that have every word in their name, folder or kind. */
export function matching(
  projects: readonly ProjectView[],
  text: string,
  kindOf: (kind: string) => string,
): readonly ProjectView[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return projects.filter(({ name, folder, kind }) => {
    const all = [name, folder, kind, kindOf(kind)].join('\n').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
