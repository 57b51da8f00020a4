import type { StackNode, StackSet, StackTree, StackTreeQuestion } from '../stack-tree';
import { amountOf, peakOf, stackOf } from './facts';
import type { DemoBlock, DemoRecording } from './recording';
import type { FrameView } from '../known';

/** Frames from the outermost; none of a block without a stack. */
const framesOf = (block: DemoBlock): readonly FrameView[] =>
  block.alloc < 0 ? [] : [...stackOf(block.stack)].reverse();

const nameOf = ({ file, line, name }: FrameView): string =>
  `${file.split('/').at(-1) ?? ''}:${(line ?? 0).toString()} ${name}`;

function isIn(recording: DemoRecording, block: DemoBlock, set: StackSet): boolean {
  switch (set.kind) {
    case 'at':
      return block.alloc <= set.after && (block.freeRequested ?? Infinity) > set.after;
    case 'peak':
      return isIn(recording, block, {
        kind: 'at',
        after: peakOf(recording, recording.allocated).event,
      });
    case 'allocated':
      return block.alloc >= set.from && block.alloc <= set.to;
    case 'unfreed':
      return (
        block.alloc >= set.from &&
        block.alloc <= set.to &&
        (block.freeCompleted ?? Infinity) > set.to
      );
  }
}

/** Where the blocks of a set were allocated: every frame is a node. */
export function demoStackTree(
  recording: DemoRecording,
  { set, below }: StackTreeQuestion,
): StackTree {
  const all = recording.blocks.filter((block) => isIn(recording, block, set));
  const shown = all.filter((block) =>
    below.every((frame, depth) => framesOf(block)[depth]?.id === frame),
  );
  const path = framesOf(shown[0] ?? ({ alloc: -1 } as DemoBlock)).slice(0, below.length);
  const nodes: StackNode[] = [];
  grow(nodes, shown, below.length, undefined, 0, 0);
  return {
    whole: amountOf(all),
    shown: amountOf(shown),
    below: path.map(nameOf),
    nodes,
  };
}

function grow(
  nodes: StackNode[],
  blocks: readonly DemoBlock[],
  level: number,
  parent: number | undefined,
  depth: number,
  offset: number,
): void {
  const groups = new Map<number | undefined, DemoBlock[]>();
  for (const block of blocks) {
    const frame = framesOf(block)[level];
    if (frame === undefined && parent !== undefined) continue;
    const group = groups.get(frame?.id) ?? [];
    group.push(block);
    groups.set(frame?.id, group);
  }
  let left = offset;
  const size = (group: readonly DemoBlock[]): number => amountOf(group).size;
  for (const [id, group] of [...groups].sort(([, a], [, b]) => size(b) - size(a))) {
    const [first] = group;
    const frame = first && framesOf(first)[level];
    const stacks = new Set(group.map(({ stack }) => stack));
    const ended = group.filter((block) => framesOf(block).length === level + 1);
    const place = nodes.length;
    nodes.push({
      parent,
      depth,
      kind: frame === undefined ? 'no_stack' : frame.kind === 'user' ? 'user' : 'library',
      frame: id,
      stack: id !== undefined && stacks.size === 1 ? first?.stack : undefined,
      name: frame && nameOf(frame),
      file: frame?.file,
      frames: 0,
      offset: left,
      amount: amountOf(group),
      own: frame === undefined ? size(group) : size(ended),
    });
    if (frame !== undefined) grow(nodes, group, level + 1, place, depth + 1, left);
    left += size(group);
  }
}
