import type { DecomposeQuestion, Decomposition } from './decompose';
import type {
  About,
  Annotations,
  AnnotationsQuestion,
  BlockDetails,
  EventDetails,
  Opened,
  PeriodDetails,
  PoolQuestion,
  ProgressNow,
  SceneQuestion,
  SegmentDetails,
} from './known';
import type { CompareEngine } from './compare';
import type { FindAnswer, FindQuestion } from './find';
import type { FlameEngine } from './flame';
import type {
  HolderCurve,
  HolderCurveQuestion,
  HolderDetails,
  HolderQuestion,
  PeriodByAnswer,
  PeriodByQuestion,
} from './holders';
import type { AddressMap, AddressMapQuestion, LaneList, LaneOrder } from './map';
import type { Pool } from './pool';
import type { PoolCurves, PoolCurvesQuestion, PoolList } from './pools';
import type { CacheEngine } from './cache';
import type { ProjectEngine } from './projects';
import type { Scene } from './scene';
import type { StackTree, StackTreeQuestion } from './stack-tree';
import type { TableEngine } from './tables';

/** What can be opened. */
export type Source =
  /** A file, or a folder of them. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'sample'; readonly which: SampleKind };

/** The recordings that ship with the app. */
export type SampleKind = 'snapshot' | 'dump';

/** A file that is dragged over the window. */
export type Drop =
  | { readonly kind: 'over' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'dropped'; readonly paths: readonly string[] };

/** What a window is to show. */
export interface Startup {
  /** Files to open. */
  readonly paths: readonly string[];
  /** The recording the window was made for, and how it was looked at before. */
  readonly handover: { readonly opened: Opened; readonly state: string } | undefined;
}

/** Everything the page can ask. Every promise is rejected with something `wireError` understands. */
export interface Engine {
  open(request: number, source: Source, progress: (now: ProgressNow) => void): Promise<Opened>;
  cancel(request: number): Promise<void>;
  close(session: number): Promise<void>;
  scene(question: SceneQuestion): Promise<Scene>;
  annotations(question: AnnotationsQuestion): Promise<Annotations>;
  block(session: number, device: number, block: number): Promise<BlockDetails>;
  event(session: number, device: number, event: number): Promise<EventDetails>;
  /** The segment around a hex address right after event `after` (−1: before the first). */
  segment(session: number, device: number, after: number, address: string): Promise<SegmentDetails>;
  period(session: number, device: number, from: number, to: number): Promise<PeriodDetails>;
  /** What a text leads to; refused as cancelled once another one is asked for. */
  find(question: FindQuestion): Promise<FindAnswer>;
  pool(question: PoolQuestion): Promise<Pool>;
  /** Who holds memory at a moment of a dump. */
  decompose(question: DecomposeQuestion): Promise<Decomposition>;
  /** What a stack, a frame or an owner holds. */
  holder(question: HolderQuestion): Promise<HolderDetails>;
  /** What it holds over a stretch of the axis. */
  holderCurve(question: HolderCurveQuestion): Promise<HolderCurve>;
  /** Who did what in a period. */
  periodBy(question: PeriodByQuestion): Promise<PeriodByAnswer>;
  /** Where the blocks of a set were allocated. */
  stackTree(question: StackTreeQuestion): Promise<StackTree>;
  /** Every pool that ever had memory, right after event `after` (−1: before the first). */
  pools(session: number, device: number, after: number): Promise<PoolList>;
  poolCurves(question: PoolCurvesQuestion): Promise<PoolCurves>;
  /** The lanes of the address map, by address; their places follow `order`. */
  lanes(session: number, device: number, order: LaneOrder): Promise<LaneList>;
  addressMap(question: AddressMapQuestion): Promise<AddressMap>;
  /** The Python threads of a dump and what ran in them. */
  readonly flame: FlameEngine;
  /** Two recordings beside each other. */
  readonly compare: CompareEngine;
  /** The block table and the event table. */
  readonly tables: TableEngine;
  /** What was opened before, and what is kept of it. */
  readonly projects: ProjectEngine;
  /** The indexes on disk. */
  readonly cache: CacheEngine;
  /** What the program is, and what it is made with. */
  about(): Promise<About>;
  /** Versions, what is open by its counts, the last lines of the log: no names, no contents. */
  diagnostics(): Promise<string>;
  /** Puts an error of the page in the log, which leaves out the names in it. */
  reportError(text: string): Promise<void>;
  /** Whether the file of a recording is another one than when it was read. */
  changed(session: number): Promise<boolean>;
  /** What the window is to show: asked at its start, and again whenever `onAsked` tells. */
  startup(): Promise<Startup>;
  /** Tells that the program was started again with files to open; the answer ends that. */
  onAsked(listener: () => void): Promise<() => void>;
  /** Moves a recording to a window of its own, which finds `state` there. */
  moveToWindow(session: number, state: string): Promise<void>;
  /** Lets the person choose a file; nothing when they would rather not. */
  chooseFile(title: string): Promise<string | undefined>;
  /** Likewise a folder. */
  chooseFolder(title: string): Promise<string | undefined>;
  /** Tells of files dragged over the window; the answer ends that. */
  onDrop(listener: (drop: Drop) => void): Promise<() => void>;
}
