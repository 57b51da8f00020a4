import type { Span } from './span';

/** What the steps between labels are made of. */
export type TickKind = 'bytes' | 'count' | 'time';

/** Round values in `span`, at most about `most`, and the step between them. */
export function ticks(
  span: Span,
  most: number,
  kind: TickKind,
): { readonly values: readonly number[]; readonly step: number } {
  const step = niceStep((span.to - span.from) / Math.max(1, most), kind);
  const values: number[] = [];
  for (let i = Math.ceil(span.from / step - 1e-9); i * step <= span.to + step * 1e-9; i += 1) {
    values.push(i * step);
  }
  return { values, step };
}

function niceStep(least: number, kind: TickKind): number {
  if (kind === 'bytes') return binaryStep(least);
  const step = decimalStep(least);
  return kind === 'count' ? Math.max(1, step) : step;
}

function decimalStep(least: number): number {
  const ten = 10 ** Math.floor(Math.log10(Math.max(least, 1e-9)));
  const factor = [1, 2, 5, 10].find((multiple) => multiple * ten >= least * (1 - 1e-9)) ?? 10;
  return factor * ten;
}

function binaryStep(least: number): number {
  const unit = 1024 ** Math.floor(Math.log(Math.max(least, 1)) / Math.log(1024));
  const factors = [1, 2, 4, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 100, 128, 200, 256, 400, 512];
  const factor = factors.find((multiple) => multiple * unit >= least * (1 - 1e-9)) ?? 1024;
  return factor * unit;
}
