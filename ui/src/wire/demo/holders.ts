import type {
  Holder,
  HolderCurve,
  HolderCurveQuestion,
  HolderDetails,
  HolderQuestion,
  PeriodAmounts,
  PeriodByAnswer,
  PeriodByQuestion,
  PeriodByRow,
} from '../holders';
import { amountOf, describeBlock, numberOf, peakOf, stackOf } from './facts';
import { columnsOf } from './layout';
import { firstUsOf, type DemoBlock, type DemoRecording } from './recording';

/** Whether a frame is in a stack. */
export const hasFrame = (stack: number, frame: number): boolean =>
  stackOf(stack).some(({ id }) => id === frame);

/** Whether a block is of a holder; those from before have no stack. */
export function isOf(block: DemoBlock, holder: Holder): boolean {
  switch (holder.kind) {
    case 'stack':
      return block.alloc >= 0 && block.stack === holder.stack;
    case 'frame':
      return block.alloc >= 0 && hasFrame(block.stack, holder.frame);
    case 'owner':
      return `${block.owner ?? ''}@`.startsWith(`${holder.tag}@`);
  }
}

const isThere = (block: DemoBlock, after: number): boolean =>
  block.alloc <= after && (block.freeRequested ?? Infinity) > after;

/** What a holder holds. */
export function describeHolder(
  recording: DemoRecording,
  { holder, after }: HolderQuestion,
): HolderDetails {
  const blocks = recording.blocks.filter((block) => isOf(block, holder));
  const peak = peakOf(recording, recording.allocated).event;
  const [first] = blocks;
  const largest = blocks.reduce(
    (most, block) => (block.size > (most?.size ?? -1) ? block : most),
    first,
  );
  const row = largest === undefined ? -1 : recording.blocks.indexOf(largest);
  const stacks = new Set(blocks.map(({ stack }) => stack));
  const isOwner = holder.kind === 'owner';
  return {
    stack:
      holder.kind === 'stack' && first
        ? describeBlock(recording, recording.blocks.indexOf(first)).alloc_stack
        : undefined,
    frame:
      holder.kind === 'frame' && first
        ? stackOf(first.stack).find(({ id }) => id === holder.frame)
        : undefined,
    stacks: isOwner ? undefined : stacks.size,
    events: isOwner ? undefined : blocks.length,
    all: amountOf(blocks),
    now: amountOf(blocks.filter((block) => isThere(block, after))),
    at_peak: amountOf(blocks.filter((block) => isThere(block, peak))),
    unfreed: amountOf(blocks.filter(({ freeRequested }) => freeRequested === undefined)),
    largest: largest && { block: row, number: numberOf(recording, row) ?? row, size: largest.size },
  };
}

/** What a holder holds over time. */
export function curveOf(
  recording: DemoRecording,
  { holder, axis, x0, x1, width_px, session, device }: HolderCurveQuestion,
): HolderCurve {
  const blocks = recording.blocks.filter((block) => isOf(block, holder));
  const bytes = recording.allocated.map((_, state) =>
    blocks.reduce((sum, block) => (isThere(block, state - 1) ? sum + block.size : sum), 0),
  );
  const size = { width_px, height_px: 1, y0: 0, y1: 1 };
  const look = { color: 'address', detail: 'lines', selected: undefined } as const;
  const columns = columnsOf(recording, { session, device, axis, x0, x1, ...size, ...look });
  const within = (column: number): readonly number[] =>
    bytes.slice(columns.first[column], (columns.last[column] ?? 0) + 1);
  const least = columns.first.map((_, column) => Math.min(...within(column)));
  const most = columns.first.map((_, column) => Math.max(...within(column)));
  const top = Math.max(...bytes);
  const event = bytes.indexOf(top) - 1;
  const time = recording.times[event];
  return {
    edge: columns.edge.map((edge) => edge / width_px),
    least,
    most,
    event: columns.first.map(
      (first, column) => first + within(column).indexOf(most[column] ?? 0) - 1,
    ),
    peak: {
      bytes: top,
      event,
      time_us: time === undefined ? undefined : firstUsOf(recording) + time,
    },
  };
}

/** Who did what in a period. */
export function periodBy(recording: DemoRecording, question: PeriodByQuestion): PeriodByAnswer {
  const groups = new Map<string, { readonly holder: Holder | undefined; blocks: DemoBlock[] }>();
  for (const block of recording.blocks) {
    const holder = holderIn(block, question);
    const key = JSON.stringify(holder);
    const group = groups.get(key) ?? { holder, blocks: [] };
    group.blocks.push(block);
    groups.set(key, group);
  }
  const weight = ({ amounts }: PeriodByRow): number =>
    question.order === 'change' ? Math.abs(amounts.change) : amounts[question.order].size;
  const all = [...groups.values()]
    .map(({ holder, blocks }): PeriodByRow => {
      const lines =
        holder?.kind === 'stack'
          ? stackOf(holder.stack).map(({ name, file }) => `${file} ${name}`)
          : [];
      const row = recording.blocks.findIndex((block) => blocks.includes(block));
      const name =
        holder?.kind === 'owner' ? holder.tag : holder && describeBlock(recording, row).top_frame;
      return { holder, name, lines, amounts: amountsOf(blocks, question) };
    })
    .sort((a, b) => weight(b) - weight(a));
  const rows = all.filter((row) => weight(row) > 0).slice(0, question.top);
  const held = (listed: readonly PeriodByRow[]): readonly DemoBlock[] =>
    [...groups.values()]
      .filter(({ holder }) => !listed.some((row) => row.holder === holder))
      .flatMap(({ blocks }) => blocks);
  return {
    rows,
    rest_rows: all.length - rows.length,
    rest: amountsOf(held(rows), question),
    whole: amountsOf(recording.blocks, question),
  };
}

function holderIn(block: DemoBlock, { by }: PeriodByQuestion): Holder | undefined {
  if (by === 'owner')
    return block.owner === undefined ? undefined : { kind: 'owner', tag: block.owner };
  return block.alloc < 0 ? undefined : { kind: 'stack', stack: block.stack };
}

function amountsOf(blocks: readonly DemoBlock[], { from, to }: PeriodByQuestion): PeriodAmounts {
  const before = amountOf(blocks.filter((block) => isThere(block, from - 1)));
  const after = amountOf(blocks.filter((block) => isThere(block, to)));
  const made = blocks.filter(({ alloc }) => alloc >= from && alloc <= to);
  return {
    before,
    after,
    allocated: amountOf(made),
    unfreed: amountOf(made.filter(({ freeCompleted }) => (freeCompleted ?? Infinity) > to)),
    change: after.size - before.size,
    change_count: after.count - before.count,
  };
}
