/** A stretch of an axis; `from < to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const length = (span: Span): number => span.to - span.from;

export const middle = (span: Span): number => (span.from + span.to) / 2;

export const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), high);

export const moved = (span: Span, by: number): Span => ({ from: span.from + by, to: span.to + by });

export const sameSpan = (a: Span, b: Span): boolean => a.from === b.from && a.to === b.to;

/** The two values in order. */
export const ordered = (a: number, b: number): Span =>
  a < b ? { from: a, to: b } : { from: b, to: a };

/** `span` inside `bounds`, at least `least` long: shortened if it is too long, then moved. */
export function fitted(span: Span, bounds: Span, least: number): Span {
  const whole = length(bounds);
  const wanted = clamp(length(span), Math.min(least, whole), whole);
  const center = middle(span);
  const free = length(span) === wanted ? span.from : center - wanted / 2;
  const from = clamp(free, bounds.from, bounds.to - wanted);
  return { from, to: Math.min(from + wanted, bounds.to) };
}

/** `span` scaled by `factor` (below 1 zooms in) with `at` kept in place. */
export function zoomed(span: Span, at: number, factor: number, bounds: Span, least: number): Span {
  const wanted = clamp(length(span) * factor, Math.min(least, length(bounds)), length(bounds));
  const share = (at - span.from) / length(span);
  const from = clamp(at - share * wanted, bounds.from, bounds.to - wanted);
  return { from, to: Math.min(from + wanted, bounds.to) };
}

/** The straight map `x ↦ scale · x + offset`. */
export interface Affine {
  readonly scale: number;
  readonly offset: number;
}

/** The map that takes `source` to `target`. */
export function mapping(source: Span, target: Span): Affine {
  const scale = length(target) / length(source);
  return { scale, offset: target.from - source.from * scale };
}

export const apply = (map: Affine, value: number): number => map.scale * value + map.offset;

export const unapply = (map: Affine, value: number): number => (value - map.offset) / map.scale;
