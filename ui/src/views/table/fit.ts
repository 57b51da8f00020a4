import { clamp } from '../../base/span';
import { context2d } from '../../draw/canvas';
import { LEAST_WIDTH, MOST_WIDTH } from './memory';

/** Pixels beside the text of a cell. */
const AROUND = 22;

/** The width at which a column shows all of some texts, each in a font. */
export function fittingWidth(
  document: Document,
  texts: readonly { readonly text: string; readonly font: string }[],
): number {
  const context = context2d(document.createElement('canvas'));
  const widths = texts.map(({ text, font }) => {
    context.font = font;
    return context.measureText(text).width;
  });
  return clamp(Math.ceil(Math.max(0, ...widths)) + AROUND, LEAST_WIDTH, MOST_WIDTH);
}

/** An element's font as a canvas understands it: without digits of equal width. */
export function fontOf(element: Element): string {
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(element);
  return `${fontWeight} ${fontSize} ${fontFamily}`;
}
