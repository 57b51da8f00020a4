import type { StackNode } from '../../wire/stack-tree';

/** The rows of the frames that lead to a node, the outermost first; nothing of what is no frame. */
export function pathTo(nodes: readonly StackNode[], at: number): readonly number[] | undefined {
  const path: number[] = [];
  for (let node = nodes[at]; node !== undefined;) {
    if (node.frame === undefined) return undefined;
    path.unshift(node.frame);
    node = node.parent === undefined ? undefined : nodes[node.parent];
  }
  return path.length === 0 ? undefined : path;
}

/** The node that a key leads to from `at`; from nowhere, the first. */
export function step(
  nodes: readonly StackNode[],
  at: number | undefined,
  key: string,
): number | undefined {
  if (at === undefined || nodes[at] === undefined) return nodes.length > 0 ? 0 : undefined;
  const { parent } = nodes[at];
  const mates = (): readonly number[] =>
    nodes.flatMap((node, place) => (node.parent === parent ? [place] : []));
  switch (key) {
    case 'ArrowUp':
      return parent ?? at;
    case 'ArrowDown': {
      const child = nodes.findIndex((node) => node.parent === at);
      return child < 0 ? at : child;
    }
    case 'ArrowLeft':
      return mates()[mates().indexOf(at) - 1] ?? at;
    case 'ArrowRight':
      return mates()[mates().indexOf(at) + 1] ?? at;
    default:
      return undefined;
  }
}

/** Which nodes have `needle` in their name or file, whatever the case. */
export function matching(nodes: readonly StackNode[], needle: string): ReadonlySet<number> {
  const text = needle.trim().toLowerCase();
  const has = (one: string | undefined): boolean => one?.toLowerCase().includes(text) === true;
  return new Set(
    text === '' ? [] : nodes.flatMap((node, at) => (has(node.name) || has(node.file) ? [at] : [])),
  );
}

/** Bytes of the nodes in `found`; those inside of another one of them are counted with that. */
export function bytesOf(nodes: readonly StackNode[], found: ReadonlySet<number>): number {
  const isInside = nodes.map(() => false);
  let bytes = 0;
  nodes.forEach(({ parent, amount }, at) => {
    // Parents come before their children.
    const isCounted = parent !== undefined && (isInside[parent] === true || found.has(parent));
    isInside[at] = isCounted;
    if (found.has(at) && !isCounted) bytes += amount.size;
  });
  return bytes;
}
