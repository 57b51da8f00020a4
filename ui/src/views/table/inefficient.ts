import type { Threshold, Thresholds } from '../../wire/tables';

/** A way to hold memory in vain, as thresholds name it. */
export type Kind = keyof Thresholds;

export const KINDS: readonly Kind[] = ['lazy', 'delayed', 'idle'];

const OFF: Threshold = { ns: undefined, percent: undefined };

export const NO_THRESHOLDS: Thresholds = { lazy: OFF, delayed: OFF, idle: OFF };

const canBeExceeded = ({ ns, percent }: Threshold): boolean =>
  (ns !== undefined && ns > 0) || (percent !== undefined && percent > 0 && percent < 100);

/** Whether anything can be inefficient. */
export const isOn = (thresholds: Thresholds | undefined): thresholds is Thresholds =>
  thresholds !== undefined && KINDS.some((kind) => canBeExceeded(thresholds[kind]));
