import type {
  Annotations,
  AnnotationsQuestion,
  BlockDetails,
  Opened,
  ProgressNow,
  SceneQuestion,
} from './known';
import type { Scene } from './scene';

/** What can be opened. */
export type Source = { readonly kind: 'file'; readonly path: string } | { readonly kind: 'sample' };

/** A file that is dragged over the window. */
export type Drop =
  | { readonly kind: 'over' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'dropped'; readonly paths: readonly string[] };

/** Everything the page can ask. Every promise is rejected with something `wireError` understands. */
export interface Engine {
  open(request: number, source: Source, progress: (now: ProgressNow) => void): Promise<Opened>;
  cancel(request: number): Promise<void>;
  close(session: number): Promise<void>;
  scene(question: SceneQuestion): Promise<Scene>;
  annotations(question: AnnotationsQuestion): Promise<Annotations>;
  block(session: number, device: number, block: number): Promise<BlockDetails>;
  /** The file named on the command line. */
  startup(): Promise<string | undefined>;
  /** Lets the person choose a file; nothing when they would rather not. */
  chooseFile(title: string): Promise<string | undefined>;
  /** Tells of files dragged over the window; the answer ends that. */
  onDrop(listener: (drop: Drop) => void): Promise<() => void>;
}
