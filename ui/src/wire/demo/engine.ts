import { decodeMap, encodeMap } from '../map';
import { decodePool, encodePool } from '../pool';
import { decodeCurves, encodeCurves } from '../pools';
import { decodeScene } from '../scene';
import { demoCurves, demoPools } from './pools';
import { encodeScene } from '../encode';
import type { Engine, Source } from '../engine';
import { Refusal } from '../error';
import type { About, Annotations, AnnotationsQuestion, Opened, ProgressNow } from '../known';
import { demoCompare } from './compare';
import { demoCache } from './cache';
import { demoDecompose } from './decompose';
import { demoThreads } from './calls';
import { demoDump } from './dump';
import { demoFind } from './find';
import { demoFlame } from './flame';
import { beginOf, demoScene } from './layout';
import { curveOf, describeHolder, periodBy } from './holders';
import { demoLanes, demoMap } from './map';
import { demoPool, describeEvent, describePeriod, describeSegment } from './pool';
import { demoRecording, type DemoRecording } from './recording';
import { demoProjects } from './projects';
import { demoStackTree } from './stack-tree';
import { demoTables } from './tables';
import { describeBlock, describeRecording, emptyRecording, nothingRecording } from './facts';

const STAGES = ['Reading events', 'Following lives', 'Building the index'];
const TICK_MS = 24;

const ABOUT: About = {
  version: '0.0.0',
  commit: undefined,
  committed: 1_790_000_000,
  system: 'linux x86_64',
  tauri: '2.0.0',
  webview: '2.50.6',
  sqlite: '3.50.0',
  rust: '1.95.0',
};

/** What the invented engine should be like, for tests and pictures. */
export interface DemoOptions {
  /** How long each piece of work takes, milliseconds. */
  readonly pace?: number;
  /** What the command line would name. */
  readonly startup?: string | undefined;
}

/**
 * An engine inside the page, for a plain browser and for tests. Any path opens the same invented
 * recording; a path with `refuse`, `bug`, `empty`, `nothing`, `other` or `dump` in it opens as its
 * name says.
 */
export function demoEngine(options: DemoOptions = {}): Engine {
  const recordings = new Map<number, readonly DemoRecording[]>();
  const openings = new Map<number, Opened>();
  const cancelled = new Set<number>();
  const projects = demoProjects();
  const devicesOf = (session: number): readonly DemoRecording[] => {
    const devices = recordings.get(session);
    if (devices === undefined) throw new Refusal('closed', 'This recording is no longer open.');
    return devices;
  };
  const recordingOf = (session: number, device: number): DemoRecording => {
    const recording = devicesOf(session)[device];
    if (recording === undefined) throw new Error(`no device ${device.toString()}`);
    return recording;
  };
  return {
    open: async (request, source, progress) => {
      await work(progress, options.pace ?? TICK_MS, () => cancelled.has(request));
      refuse(source);
      const devices = recordingFor(source);
      recordings.set(request, devices);
      const opened = openedOf(request, devices, source, openings);
      projects.openedAs(opened, source);
      return opened;
    },
    cancel: (request) => {
      cancelled.add(request);
      return Promise.resolve();
    },
    close: (session) => {
      recordings.delete(session);
      return Promise.resolve();
    },
    ...demoPictures(recordingOf),
    annotations: (question) =>
      attempt(() => annotate(recordingOf(question.session, question.device), question)),
    block: (session, device, block) =>
      attempt(() => describeBlock(recordingOf(session, device), block)),
    event: (session, device, event) =>
      attempt(() => describeEvent(recordingOf(session, device), event)),
    segment: (session, device, after, address) =>
      attempt(() => describeSegment(recordingOf(session, device), after, address)),
    period: (session, device, from, to) =>
      attempt(() => describePeriod(recordingOf(session, device), from, to)),
    find: (question) =>
      attempt(() => demoFind(recordingOf(question.session, question.device), question)),
    decompose: (question) => attempt(() => demoDecompose(devicesOf(question.session), question)),
    ...demoHolders(recordingOf),
    ...poolsOver(recordingOf),
    compare: demoCompare(recordingOf, openings),
    flame: demoFlame(recordingOf),
    tables: demoTables(recordingOf),
    projects: projects.engine,
    cache: demoCache(),
    about: () => Promise.resolve(ABOUT),
    diagnostics: () => Promise.resolve(`Tidemark ${ABOUT.version}, ${ABOUT.system}\n`),
    reportError: () => Promise.resolve(),
    ...demoWindow(options),
  };
}

const demoHolders = (
  recordingOf: (session: number, device: number) => DemoRecording,
): Pick<Engine, 'holder' | 'holderCurve' | 'periodBy' | 'stackTree'> => ({
  holder: (question) =>
    attempt(() => describeHolder(recordingOf(question.session, question.device), question)),
  holderCurve: (question) =>
    attempt(() => curveOf(recordingOf(question.session, question.device), question)),
  periodBy: (question) =>
    attempt(() => periodBy(recordingOf(question.session, question.device), question)),
  stackTree: (question) =>
    attempt(() => demoStackTree(recordingOf(question.session, question.device), question)),
});

function openedOf(
  session: number,
  devices: readonly DemoRecording[],
  source: Source,
  openings: Map<number, Opened>,
): Opened {
  const summary = withThreads(describeRecording(devices, nameOf(source)), source);
  const opened = { session, reopened: false, summary };
  openings.set(session, opened);
  return opened;
}
/** What has to do with windows and files; there is one window. */
const demoWindow = (
  options: DemoOptions,
): Pick<
  Engine,
  'changed' | 'startup' | 'onAsked' | 'moveToWindow' | 'chooseFile' | 'chooseFolder' | 'onDrop'
> => ({
  changed: () => Promise.resolve(false),
  startup: () =>
    Promise.resolve({
      paths: options.startup === undefined ? [] : [options.startup],
      handover: undefined,
    }),
  onAsked: () => Promise.resolve(() => undefined),
  moveToWindow: () => Promise.resolve(),
  chooseFile: () => Promise.resolve('/recordings/rank0_step12.pickle'),
  chooseFolder: () => Promise.resolve('/recordings/memscope_dump'),
  onDrop: () => Promise.resolve(() => undefined),
});

const poolsOver = (
  recordingOf: (session: number, device: number) => DemoRecording,
): Pick<Engine, 'pools' | 'poolCurves'> => ({
  pools: (session, device, after) => attempt(() => demoPools(recordingOf(session, device), after)),
  poolCurves: (question) =>
    attempt(() =>
      decodeCurves(
        encodeCurves(demoCurves(recordingOf(question.session, question.device), question)),
      ),
    ),
});

/** What is drawn, through the bytes that the program would send. */
function demoPictures(
  recordingOf: (session: number, device: number) => DemoRecording,
): Pick<Engine, 'scene' | 'pool' | 'lanes' | 'addressMap'> {
  return {
    scene: (question) =>
      attempt(() =>
        decodeScene(
          encodeScene(demoScene(recordingOf(question.session, question.device), question)),
        ),
      ),
    pool: (question) =>
      attempt(() =>
        decodePool(encodePool(demoPool(recordingOf(question.session, question.device), question))),
      ),
    lanes: (session, device, order) =>
      attempt(() => demoLanes(recordingOf(session, device), order)),
    addressMap: (question) =>
      attempt(() =>
        decodeMap(
          encodeMap(demoMap(recordingOf(question.scene.session, question.scene.device), question)),
        ),
      ),
  };
}

function nameOf(source: Source): string {
  if (source.kind === 'file') return source.path.split('/').at(-1) ?? source.path;
  return source.which === 'dump' ? 'memscope_sample.db' : 'sample.pickle';
}

async function attempt<T>(answer: () => T): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return answer();
}

function recordingFor(source: Source): readonly DemoRecording[] {
  const path = source.kind === 'file' ? source.path : source.which;
  if (path.includes('dump')) return demoDump();
  if (path.includes('nothing')) return [nothingRecording()];
  if (path.includes('empty')) return [emptyRecording()];
  // A longer run of a smaller model, to be compared.
  return [path.includes('other') ? demoRecording(9, 22) : demoRecording()];
}

/** A dump with `trace` in its path has the invented threads. */
function withThreads(summary: Opened['summary'], source: Source): Opened['summary'] {
  const { dump } = summary;
  if (dump === undefined || !nameOf(source).includes('trace')) return summary;
  return { ...summary, dump: { ...dump, threads: demoThreads().length } };
}

function refuse(source: Source): void {
  if (source.kind === 'sample') return;
  if (source.path.includes('refuse')) {
    throw new Refusal('wants_code', 'This pickle wants to run code (GLOBAL os system): refused.');
  }
  if (source.path.includes('bug')) throw new Refusal('bug', 'index out of bounds: demo.rs:12');
}

async function work(
  progress: (now: ProgressNow) => void,
  pace: number,
  isCancelled: () => boolean,
): Promise<void> {
  for (const stage of STAGES) {
    for (let done = 0; done <= 8; done += 1) {
      if (isCancelled()) throw new Refusal('cancelled', 'Stopped.');
      progress({ stage, done, total: 8 });
      await new Promise((resolve) => setTimeout(resolve, pace));
    }
  }
}

function annotate(recording: DemoRecording, question: AnnotationsQuestion): Annotations {
  const ranges = recording.ranges
    .map((range) => ({
      name: range.name,
      ...(question.axis === 'time' && range.time !== undefined
        ? range.time
        : {
            from: beginOf(recording, question.axis, range.from + 1),
            to: beginOf(recording, question.axis, range.to + 1),
          }),
      depth: range.depth,
      kind: range.kind ?? ('range' as const),
      count: 1,
    }))
    .filter((range) => range.to >= question.x0 && range.from <= question.x1);
  return { ranges: ranges.sort((a, b) => a.depth - b.depth || a.from - b.from) };
}
