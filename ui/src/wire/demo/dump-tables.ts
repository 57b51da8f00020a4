import type { Inefficient, InefficientQuestion, TableCell, Thresholds, Waste } from '../tables';
import { describeBlock } from './facts';
import type { DemoRecording } from './recording';
import type { DemoRow } from './tables';
import { FLAGS, ns, unusedOf, useOf } from './uses';

/** The blocks of a track. */
export function dumpBlockRows(
  recording: DemoRecording,
  thresholds: Thresholds | undefined,
): readonly DemoRow[] {
  return recording.blocks.map((block, row) => {
    const use = useOf(recording, row);
    const details = describeBlock(recording, row);
    const unused = unusedOf(use, thresholds);
    const flags = FLAGS.filter((_, at) => (unused[at] ?? 0) > 0);
    const said = FLAGS.map((flag, at) => `"${flag}":"${((unused[at] ?? 0) > 0).toString()}"`);
    const id = `"allocation_id":"${(row + 1).toString()}"`;
    const cells: DemoRow['cells'] = {
      id: block.alloc,
      address: details.address,
      size: block.size,
      malloc_time_ns: use.start,
      free_time_ns: block.freeCompleted === undefined ? undefined : use.end,
      owner: block.owner,
      process: recording.track?.process,
      thread: recording.track?.process,
      first_access_ns: use.first ?? -1,
      last_access_ns: use.last ?? -1,
      longest_gap_ns: use.gap,
      attr: `{${[id, ...said, `"size":"${block.size.toString()}"`].join(',')}}`,
      accesses: use.first === undefined ? 0 : 3,
      allocation_id: row + 1,
      lifetime_ns: use.end - use.start,
      alloc_event: block.alloc,
      free_event: block.freeCompleted,
      free_requested_event: block.freeRequested,
      top_frame: details.top_frame,
      inefficient: flags.length === 0 ? undefined : flags.join(', '),
    };
    const to = block.freeCompleted ?? Infinity;
    const { id: stack } = details.alloc_stack;
    return { row, block: row, event: undefined, from: block.alloc, to, stack, cells };
  });
}

/** The rows about a device, and those about none: one before all others. */
export function dumpEventRows(recording: DemoRecording): readonly DemoRow[] {
  const { device = '0', pool = 'PTA', process } = recording.track ?? {};
  const about = new Map<number, { readonly row: number; readonly event: string }>();
  recording.blocks.forEach((block, row) => {
    about.set(block.alloc, { row, event: 'MALLOC' });
    if (block.freeCompleted !== undefined) about.set(block.freeCompleted, { row, event: 'FREE' });
  });
  const rows: DemoRow[] = [];
  const add = (cells: DemoRow['cells'], at: number, event?: number, block?: number): void => {
    const known = { process, thread: process, id: rows.length, name: 'N/A', ...cells };
    rows.push({ row: rows.length, block, event, from: at, to: at, cells: known });
  };
  const system = { event: 'SYSTEM', event_type: 'START_TRACE', time_ns: 0, attr: '{}' };
  add({ ...system, device: 'N/A' }, -1);
  recording.times.forEach((us, event) => {
    const found = about.get(event);
    const block = found && recording.blocks[found.row];
    const size = block?.size ?? 0;
    const attr = `{"allocation_id":"${((found?.row ?? 0) + 1).toString()}","size":"${size.toString()}"}`;
    const address: TableCell = block && `0x${block.address.toString(16)}`;
    const time = { time_ns: ns(us), device };
    const cells = { ...time, event: found?.event, event_type: pool, address, size, attr };
    add({ ...cells, block: block?.alloc }, event, event, found?.row);
    if (event % 5 !== 4) return;
    const kernel = { event: 'KERNEL_LAUNCH', event_type: 'KERNEL_LAUNCH', name: 'MatMulV2' };
    add({ ...time, ...kernel, attr: '{"streamId":"2","taskId":"7"}' }, event);
  });
  return rows;
}

class Sum {
  count = 0;
  size = 0;
  cost = 0n;

  add(size: number, unused: number): void {
    this.count += 1;
    this.size += size;
    this.cost += BigInt(size) * BigInt(unused);
  }

  waste(): Waste {
    return {
      amount: { count: this.count, requested: this.size, size: this.size },
      byte_ns: this.cost.toString(),
      byte_seconds: Number(this.cost) / 1e9,
    };
  }
}

class Group {
  readonly all = new Sum();
  readonly each = [new Sum(), new Sum(), new Sum()] as const;

  add(size: number, unused: readonly number[]): void {
    this.all.add(
      size,
      unused.reduce((sum, one) => sum + one, 0),
    );
    this.each.forEach((sum, at) => {
      if ((unused[at] ?? 0) > 0) sum.add(size, unused[at] ?? 0);
    });
  }

  answer(): Pick<Inefficient, 'all' | 'each'> {
    const [lazy, delayed, idle] = this.each;
    return {
      all: this.all.waste(),
      each: {
        lazy_used: lazy.waste(),
        delayed_free: delayed.waste(),
        long_idle: idle.waste(),
      },
    };
  }
}

function grouped<Key>(groups: Map<Key, Group>, key: Key): Group {
  const group = groups.get(key) ?? new Group();
  groups.set(key, group);
  return group;
}

/** What a track holds in vain. */
export function demoInefficient(
  recording: DemoRecording,
  { thresholds, top }: InefficientQuestion,
): Inefficient {
  const whole = new Group();
  const owners = new Map<string | undefined, Group>();
  const stacks = new Map<number | undefined, Group>();
  let accessed = 0;
  recording.blocks.forEach((block, row) => {
    const use = useOf(recording, row);
    accessed += use.first === undefined ? 0 : 1;
    const unused = unusedOf(use, thresholds);
    if (unused.every((part) => part === 0)) return;
    const stack = describeBlock(recording, row).alloc_stack.id;
    for (const group of [grouped(owners, block.owner), grouped(stacks, stack), whole]) {
      group.add(block.size, unused);
    }
  });
  const listed = <Key>(groups: ReadonlyMap<Key, Group>) =>
    [...groups]
      .sort(([, a], [, b]) => Number(b.all.cost - a.all.cost))
      .slice(0, top)
      .map(([key, group]) => ({ key, ...group.answer() }));
  return {
    blocks_in_all: recording.blocks.length,
    accessed,
    ...whole.answer(),
    owners: listed(owners).map(({ key: owner, ...rest }) => ({ owner, ...rest })),
    owner_count: owners.size,
    stacks: listed(stacks).map(({ key: stack, ...rest }) => {
      const block = recording.blocks.findIndex((one) => one.alloc >= 0 && one.stack === stack);
      const known = block < 0 ? undefined : describeBlock(recording, block);
      const frames = known?.alloc_stack.frames.map(({ name }) => name) ?? [];
      return { stack, frames, top_frame: known?.top_frame, ...rest };
    }),
    stack_count: stacks.size,
    blocks: [],
  };
}
