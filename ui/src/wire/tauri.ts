import { Channel } from '@tauri-apps/api/core';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { commands, type ProgressNow, type WireError } from './bindings';
import type * as wire from './bindings';
import type { CompareEngine, DiffSideQuestion } from './compare';
import type { Drop, Engine, Source } from './engine';
import { Refusal } from './error';
import { decodeFlame, type FlameEngine, type SliceSearch } from './flame';
import { known, type Highlight } from './known';
import { decodeMap } from './map';
import { decodePool } from './pool';
import { decodeCurves } from './pools';
import type { CacheEngine } from './cache';
import type { ProjectEngine } from './projects';
import { decodeScene } from './scene';
import { asked, askedRows, type TableEngine } from './tables';

type Answer<T> =
  | { readonly status: 'ok'; readonly data: T }
  | { readonly status: 'error'; readonly error: WireError };

const tables: TableEngine = {
  open: async (slot, question, first) =>
    known(given(await commands.tableOpen(slot, asked(question), askedRows(first)))),
  rows: async (view, question) => known(given(await commands.tableRows(view, askedRows(question)))),
  position: async (view, row) => given(await commands.tablePosition(view, row)) ?? undefined,
  bounds: async (view, columns) => given(await commands.tableBounds(view, [...columns])),
  choices: async (question, column) => given(await commands.tableChoices(asked(question), column)),
  inefficient: async (question) =>
    known(given(await commands.inefficient(question as unknown as wire.InefficientQuestion))),
  chooseTarget: async (title, name) => given(await commands.chooseTarget(title, name)) ?? undefined,
  export: async (request, view, columns, path, listener) => {
    const progress = new Channel<ProgressNow>(listener);
    given(await commands.tableExport(request, view, [...columns], path, progress));
  },
  cancelExport: (request) => commands.cancel(request),
};

const flame: FlameEngine = {
  threads: async (session) => given(await commands.threads(session)),
  flame: async ({ selected = null, search, ...rest }) => {
    const question = { ...rest, selected, search: search ? sought(search) : null };
    return decodeFlame(given(await commands.flame(question)));
  },
  slice: async (session, thread, slice, device) =>
    known(given(await commands.slice(session, thread, slice, device))),
  search: async ({ search, ...rest }) =>
    known(given(await commands.flameSearch({ ...rest, search: sought(search) }))),
};

const projects: ProjectEngine = {
  list: async () => known(given(await commands.projectList())),
  file: async (project) => given(await commands.projectFile(project)),
  compare: async (project, path) => given(await commands.projectCompare(project, path)),
  relocate: async (project, path) => void given(await commands.projectRelocate(project, path)),
  pin: async (project) => void given(await commands.projectPin(project)),
  unpin: async (project) => void given(await commands.projectUnpin(project)),
  remove: async (project) => void given(await commands.projectRemove(project)),
  opened: async (session) => known(given(await commands.projectOpened(session))) ?? undefined,
  save: async (session, project, state) =>
    void given(await commands.projectSave(session, project, state)),
  addBookmark: async (project, place, note) =>
    given(await commands.bookmarkAdd(project, place, note)),
  changeNote: async (bookmark, note) => void given(await commands.bookmarkNote(bookmark, note)),
  removeBookmark: async (bookmark) => void given(await commands.bookmarkRemove(bookmark)),
};

const compare: CompareEngine = {
  difference: async ({ a, b, ...rest }) =>
    known(given(await commands.difference({ ...rest, a: sideOf(a), b: sideOf(b) }))),
  alignedSteps: async (question) => known(given(await commands.alignedSteps(question))),
  counterpart: async (question) => known(given(await commands.counterpart(question))),
};

const sideOf = (side: DiffSideQuestion): wire.DiffSideQuestion => ({
  ...side,
  at: side.at ?? null,
});

const cache: CacheEngine = {
  state: async () => known(given(await commands.cacheState())) ?? undefined,
  limit: async (gib) => known(given(await commands.cacheLimit(gib))) ?? undefined,
  clear: async () => known(given(await commands.cacheClear())) ?? undefined,
};

/** The program itself, through Tauri's commands. */
export const tauriEngine: Engine = {
  open: async (request, source, progress) =>
    known(given(await openSource(request, source, progress))),
  cancel: (request) => commands.cancel(request),
  close: async (session) => void given(await commands.close(session)),
  scene: async (question) => {
    const { selected = null } = question;
    const highlight = lit(question.highlight);
    return decodeScene(given(await commands.scene({ ...question, selected, highlight })));
  },
  annotations: async (question) => known(given(await commands.annotations(question))),
  block: async (session, device, block) =>
    known(given(await commands.block(session, device, block))),
  event: async (session, device, event) =>
    known(given(await commands.event(session, device, event))),
  segment: async (session, device, after, address) =>
    known(given(await commands.segment(session, device, after, address))),
  period: async (session, device, from, to) =>
    known(given(await commands.period(session, device, from, to))),
  find: async (question) => known(given(await commands.find(question))),
  pool: async ({ highlight, ...question }) =>
    decodePool(given(await commands.pool({ ...question, highlight: lit(highlight) }))),
  decompose: async ({ then = null, ...question }) =>
    known(given(await commands.decompose({ ...question, then }))),
  holder: async ({ holder, ...question }) =>
    known(given(await commands.holder({ ...question, holder }))),
  holderCurve: async ({ holder, ...question }) =>
    known(given(await commands.holderCurve({ ...question, holder }))),
  periodBy: async (question) => known(given(await commands.periodBy(question))),
  stackTree: async ({ below, ...question }) =>
    known(given(await commands.stackTree({ ...question, below: [...below] }))),
  pools: async (session, device, after) =>
    known(given(await commands.pools(session, device, after))),
  poolCurves: async ({ pools, ...question }) =>
    decodeCurves(given(await commands.poolCurves({ ...question, pools: [...pools] }))),
  lanes: async (session, device, order) =>
    known(given(await commands.lanes(session, device, order))),
  addressMap: async ({ order, scene }) => {
    const { selected = null } = scene;
    const question = { order, scene: { ...scene, selected, highlight: lit(scene.highlight) } };
    return decodeMap(given(await commands.addressMap(question)));
  },
  compare,
  flame,
  tables,
  projects,
  cache,
  about: async () => known(await commands.about()),
  diagnostics: async () => given(await commands.diagnostics()),
  reportError: (text) => commands.reportError(text),
  changed: async (session) => given(await commands.changed(session)),
  startup: async () => known(await commands.startup()),
  onAsked: (listener) => getCurrentWebview().listen('asked', listener),
  moveToWindow: async (session, state) => void given(await commands.moveToWindow(session, state)),
  chooseFile: async (title) => given(await commands.chooseFile(title)) ?? undefined,
  chooseFolder: async (title) => given(await commands.chooseFolder(title)) ?? undefined,
  onDrop: (listener) =>
    getCurrentWebview().onDragDropEvent(({ payload }) => {
      listener(dropOf(payload));
    }),
};

/** The answer, or a refusal that is thrown. */
function given<T>(answer: Answer<T>): T {
  if (answer.status === 'error') throw new Refusal(answer.error.code, answer.error.message);
  return answer.data;
}

const lit = (highlight: Highlight | undefined): wire.Highlight | null =>
  (highlight ?? null) as wire.Highlight | null;

const sought = ({ terms, fit }: SliceSearch): wire.SliceSearch => ({ terms: [...terms], fit });

function openSource(
  request: number,
  source: Source,
  listener: (now: ProgressNow) => void,
): Promise<Answer<wire.Opened>> {
  const progress = new Channel<ProgressNow>(listener);
  return source.kind === 'file'
    ? commands.open(request, source.path, progress)
    : commands.openSample(request, source.which, progress);
}

function dropOf(payload: { readonly type: string; readonly paths?: readonly string[] }): Drop {
  switch (payload.type) {
    case 'enter':
    case 'over':
      return { kind: 'over' };
    case 'drop':
      return { kind: 'dropped', paths: payload.paths ?? [] };
    default:
      return { kind: 'gone' };
  }
}
