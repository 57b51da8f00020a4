import { t } from '../text/t';
import type { AnnotationRange } from '../wire/known';

/** Names people read, without the profiler's dressing: `step 188`, `forward`. */
export function rangeLabel(name: string): string {
  const step = /^ProfilerStep#(\d+)$/.exec(name);
  if (step !== null) return `step ${step[1] ?? ''}`;
  return /^## (.+) ##$/.exec(name)?.[1] ?? name;
}

/** What is written on a named range or at a mark. */
export function markLabel({ name, kind }: AnnotationRange): string {
  switch (kind) {
    case 'range':
    case 'step':
      return rangeLabel(name);
    case 'switch':
      return name === 'START_TRACE' || name === 'STOP_TRACE' ? t(`dump.switches.${name}`) : name;
    case 'oom':
      return name === '' ? t('dump.oom') : t('dump.oomIn', { pool: name });
    case 'snapshot':
      return name === '' ? t('dump.snapshot') : t('dump.snapshotNamed', { name });
  }
}

/** Whether a range is a moment. */
export const isMoment = ({ from, to }: AnnotationRange): boolean =>
  from !== undefined && from === to;
