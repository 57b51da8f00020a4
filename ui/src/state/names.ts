/** Names people read, without the profiler's dressing: `step 188`, `forward`. */
export function rangeLabel(name: string): string {
  const step = /^ProfilerStep#(\d+)$/.exec(name);
  if (step !== null) return `step ${step[1] ?? ''}`;
  return /^## (.+) ##$/.exec(name)?.[1] ?? name;
}
