import { Refusal } from '../error';
import type {
  RowsQuestion,
  TableBounds,
  TableCell,
  TableChoice,
  TableColumn,
  TableEngine,
  TableFilter,
  TableOpened,
  TablePage,
  TableQuestion,
} from '../tables';
import { demoInefficient, dumpBlockRows, dumpEventRows } from './dump-tables';
import { describeBlock } from './facts';
import { hasFrame } from './holders';
import { firstUsOf, type DemoRecording } from './recording';

export interface DemoRow {
  readonly row: number;
  readonly block: number | undefined;
  /** The event of the device that it is. */
  readonly event: number | undefined;
  /** First and last event, for periods. */
  readonly from: number;
  readonly to: number;
  /** Row of its stack. */
  readonly stack?: number | undefined;
  readonly cells: Partial<Record<TableColumn, TableCell>>;
}

interface DemoView {
  readonly question: TableQuestion;
  readonly rows: readonly DemoRow[];
}

const PART = 500;

/** The tables of the invented recording. */
export function demoTables(
  recordingOf: (session: number, device: number) => DemoRecording,
): TableEngine {
  const made = new WeakMap<DemoRecording, Map<string, readonly DemoRow[]>>();
  const views = new Map<number, DemoView>();
  let last = 0;
  const all = (question: TableQuestion): readonly DemoRow[] => {
    const recording = recordingOf(question.session, question.device);
    const kept = made.get(recording) ?? new Map<string, readonly DemoRow[]>();
    made.set(recording, kept);
    const key = JSON.stringify([question.kind, question.thresholds]);
    const rows = kept.get(key) ?? rowsOf(recording, question);
    kept.set(key, rows);
    return rows;
  };
  const viewOf = (id: number): DemoView => {
    const view = views.get(id);
    if (view === undefined) throw new Refusal('closed', 'This table is no longer open.');
    return view;
  };
  return {
    open: async (_slot, question, first) => {
      await pause();
      const rows = answer(all(question), question);
      last += 1;
      views.set(last, { question, rows });
      return opened(last, rows, all(question).length, question, first);
    },
    rows: async (view, question) => {
      await pause();
      return page(viewOf(view).rows, question);
    },
    position: async (view, row) => {
      await pause();
      const { question, rows } = viewOf(view);
      const isEvent = question.kind === 'dump_events';
      const place = rows.findIndex((one) => (isEvent ? one.event : one.row) === row);
      return place < 0 ? undefined : place;
    },
    bounds: (view, columns) =>
      pause().then(() => columns.flatMap((column) => boundsOf(viewOf(view).rows, column))),
    choices: async (question, column) => {
      await pause();
      const filters = question.filters.filter((filter) => filter.column !== column);
      const rows = answer(all(question), { ...question, filters, order: [] });
      return choicesOf(rows, column, question.cursor);
    },
    inefficient: async (question) => {
      await pause();
      return demoInefficient(recordingOf(question.session, question.device), question);
    },
    chooseTarget: (_title, name) => Promise.resolve(`/recordings/${name}`),
    export: async (_request, _view, _columns, _path, progress) => {
      progress({ stage: 'exporting', done: 1, total: 2 });
      await pause();
    },
    cancelExport: () => Promise.resolve(),
  };
}

function choicesOf(
  rows: readonly DemoRow[],
  column: TableColumn,
  cursor: number,
): readonly TableChoice[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const name = textOf(row, column, cursor);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, count }));
}

function boundsOf(rows: readonly DemoRow[], column: TableColumn): readonly TableBounds[] {
  const values = rows.map((row) => row.cells[column]);
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length === 0) return [];
  return [{ column, from: Math.min(...numbers), to: Math.max(...numbers) }];
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

function rowsOf(recording: DemoRecording, { kind, thresholds }: TableQuestion): readonly DemoRow[] {
  switch (kind) {
    case 'blocks':
      return blockRows(recording);
    case 'events':
      return eventRows(recording);
    case 'dump_blocks':
      return dumpBlockRows(recording, thresholds);
    case 'dump_events':
      return dumpEventRows(recording);
  }
}

function blockRows(recording: DemoRecording): readonly DemoRow[] {
  let before = 0;
  return recording.blocks.map((block, row) => {
    const details = describeBlock(recording, row);
    if (block.alloc < 0) before += 1;
    const cells: DemoRow['cells'] = {
      id: block.alloc < 0 ? -before : block.alloc,
      address: details.address,
      size: block.size,
      requested: block.requested,
      alloc_event: details.alloc?.event,
      free_requested_event: block.freeRequested,
      free_event: block.freeCompleted,
      lifetime: details.life_events,
      lifetime_us: details.life_us,
      pool: details.pool,
      stream: details.stream,
      top_frame: details.top_frame,
      step: /#(\d+)/.exec(details.within[0] ?? '')?.[1],
      time: details.alloc?.time_us,
      origin: details.origin,
      size_source: details.size_source,
    };
    const to = block.freeCompleted ?? Infinity;
    const { id: stack } = details.alloc_stack;
    return { row, block: row, event: undefined, from: block.alloc, to, stack, cells };
  });
}

function eventRows(recording: DemoRecording): readonly DemoRow[] {
  const about = new Map<number, { readonly row: number; readonly action: string }>();
  recording.blocks.forEach((block, row) => {
    about.set(block.alloc, { row, action: 'alloc' });
    if (block.freeRequested !== undefined)
      about.set(block.freeRequested, { row, action: 'free_requested' });
    if (block.freeCompleted !== undefined)
      about.set(block.freeCompleted, { row, action: 'free_completed' });
  });
  return recording.times.map((time, event) => {
    const found = about.get(event);
    const block = found && recording.blocks[found.row];
    const top =
      found?.action === 'alloc' ? describeBlock(recording, found.row).top_frame : undefined;
    const cells: DemoRow['cells'] = {
      id: event,
      action: found?.action ?? 'segment_alloc',
      address: block && `0x${block.address.toString(16)}`,
      size: block?.size ?? 4 * 1024 ** 3,
      stream: `0x${(block?.stream ?? 0).toString(16)}`,
      allocated: recording.allocated[event + 1],
      active: recording.active[event + 1],
      reserved: recording.reserved[event + 1],
      stack: top && `${top}\ntransformer.py:233 forward`,
      top_frame: top,
      pool: '(0, 0)',
      time: firstUsOf(recording) + time,
      block: block?.alloc,
    };
    const stack = top === undefined ? undefined : block?.stack;
    return { row: event, block: found?.row, event, from: event, to: event, stack, cells };
  });
}

function textOf(row: DemoRow, column: TableColumn, cursor: number): string | undefined {
  const cell = column === 'state' ? stateOf(row, cursor) : row.cells[column];
  return cell?.toString();
}

function stateOf(row: DemoRow, cursor: number): string {
  const { free_requested_event: requested } = row.cells;
  if (row.from > cursor) return 'not yet allocated';
  if (row.to <= cursor) return 'freed';
  return typeof requested === 'number' && requested <= cursor ? 'pending free' : 'allocated';
}

function answer(rows: readonly DemoRow[], question: TableQuestion): readonly DemoRow[] {
  const found = rows.filter(
    (row) =>
      isWithin(row, question) &&
      question.filters.every((filter) => passes(row, filter, question.cursor)),
  );
  return found.sort((a, b) => {
    for (const { column, direction } of question.order) {
      const by = compared(cellOf(a, column, question), cellOf(b, column, question));
      if (by !== 0) return direction === 'ascending' ? by : -by;
    }
    return 0;
  });
}

const cellOf = (row: DemoRow, column: TableColumn, { cursor }: { cursor: number }): TableCell =>
  column === 'state' ? stateOf(row, cursor) : row.cells[column];

function compared(a: TableCell, b: TableCell): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return (a ?? '').toString().localeCompare((b ?? '').toString());
}

function isWithin(row: DemoRow, { kind, period }: TableQuestion): boolean {
  if (period === undefined) return true;
  const isBegun = row.from >= period.from && row.from <= period.to;
  if (kind === 'events' || kind === 'dump_events') return isBegun;
  switch (period.within) {
    case 'overlapping':
      return row.from <= period.to && row.to > period.from;
    case 'inside':
      return isBegun && row.to <= period.to;
    case 'not_freed':
      return isBegun && row.to > period.to;
  }
}

/** What a typed address can be: in hex, and in decimal when that is what its digits are. */
function typedAddress(text: string): number | undefined {
  const digits = text.trim().replaceAll(/[_ ]/g, '').toLowerCase();
  const isDecimal = /^\d+$/.test(digits);
  if (isDecimal) return Number(digits);
  return /^(0x)?[0-9a-f]+$/.test(digits) ? parseInt(digits, 16) : undefined;
}

function holds(row: DemoRow, text: string): boolean {
  const [start, wanted] = [Number(row.cells.address), typedAddress(text)];
  if (row.cells.address === undefined || wanted === undefined) return false;
  return wanted >= start && wanted < start + Number(row.cells.size ?? 0);
}

function hasDigits(row: DemoRow, text: string): boolean {
  const typed = text.trim().toLowerCase();
  const address = row.cells.address?.toString() ?? '';
  return typed.startsWith('0x') ? address.startsWith(typed) : address.slice(2).includes(typed);
}

function passes(row: DemoRow, { column, test }: TableFilter, cursor: number): boolean {
  const text = textOf(row, column, cursor);
  if (column === 'address' && test.kind === 'contains') {
    return hasDigits(row, test.text) || holds(row, test.text);
  }
  if (column === 'address' && test.kind === 'is') {
    return test.names.some((name) => typedAddress(name) === Number(text));
  }
  switch (test.kind) {
    case 'contains':
      return text?.toLowerCase().includes(test.text.toLowerCase()) ?? false;
    case 'holds':
      return test.addresses.some((address) => holds(row, address));
    case 'stack':
      return row.stack === test.stack;
    case 'frame':
      return row.stack !== undefined && hasFrame(row.stack, test.frame);
    case 'is':
      return text !== undefined && test.names.includes(text);
    case 'between': {
      const value = row.cells[column];
      if (typeof value !== 'number') return false;
      return value >= (test.from ?? -Infinity) && value <= (test.to ?? Infinity);
    }
  }
}

function page(rows: readonly DemoRow[], question: RowsQuestion): TablePage {
  const { count, columns, since } = question;
  const begin = since === undefined ? -1 : rows.findIndex(({ row }) => row >= since);
  const offset = since === undefined ? question.offset : begin < 0 ? rows.length : begin;
  return {
    offset,
    rows: rows.slice(offset, offset + Math.min(count, PART)).map((row) => ({
      row: row.row,
      block: row.block,
      event: row.event,
      stack: row.stack,
      cells: columns.map((column) => cellOf(row, column, question)),
    })),
  };
}

function opened(
  view: number,
  rows: readonly DemoRow[],
  of: number,
  question: TableQuestion,
  first: RowsQuestion,
): TableOpened {
  const numbers = (column: TableColumn): readonly number[] =>
    rows.map((row) => row.cells[column]).filter((cell) => typeof cell === 'number');
  const sizes = numbers('size');
  const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
  const isOfState = [...question.filters, ...question.order].some(
    ({ column }) => column === 'state',
  );
  return {
    view,
    statistics: {
      count: rows.length,
      of,
      size: sum(sizes),
      requested: sum(numbers('requested')),
      smallest: sizes.length > 0 ? Math.min(...sizes) : undefined,
      largest: sizes.length > 0 ? Math.max(...sizes) : undefined,
    },
    asks_state: isOfState,
    page: page(rows, first),
  };
}
