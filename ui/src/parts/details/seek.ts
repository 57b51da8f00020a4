import type { FrameView } from '../../wire/known';
import { frameTitle } from './fold';
import { tracedText } from './traced';

/** A piece of a text: a hit, or what lies between two. */
export interface Piece {
  readonly text: string;
  /** Which hit of the whole stack it is. */
  readonly hit: number | undefined;
}

/** A frame as it is shown, cut at what was looked for. */
export interface SoughtFrame {
  readonly title: readonly Piece[];
  /** The file, which native code does not have. */
  readonly file: readonly Piece[];
  /** What tracing says of it: the line of the model, then the node; each may be empty. */
  readonly model: readonly Piece[];
  readonly node: readonly Piece[];
  readonly hasHit: boolean;
}

/** A stack that was searched. */
export interface SoughtStack {
  readonly hits: number;
  /** In their order. */
  readonly frames: readonly SoughtFrame[];
}

/** Looks for `needle` in what is shown of `frames`, whatever the case of its letters. */
export function seek(frames: readonly FrameView[], needle: string): SoughtStack {
  const text = needle.trim().replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  const wanted = text === '' ? undefined : new RegExp(text, 'giu');
  let hits = 0;
  const cut = (whole: string): readonly Piece[] => {
    const pieces =
      wanted === undefined ? [{ text: whole, hit: undefined }] : cutAt(whole, wanted, hits);
    hits += pieces.filter(({ hit }) => hit !== undefined).length;
    return pieces;
  };
  const found = frames.map((frame) => {
    const before = hits;
    const title = cut(frameTitle(frame));
    const file = frame.kind === 'native' ? [] : cut(frame.file);
    const traced = tracedText(frame);
    const part = (text: string | undefined): readonly Piece[] => (text ? cut(text) : []);
    const model = part(traced?.model);
    const node = part(traced?.node);
    return { title, file, model, node, hasHit: hits > before };
  });
  return { hits, frames: found };
}

/** `whole` in pieces; the first hit is number `first`. */
function cutAt(whole: string, wanted: RegExp, first: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let hit = first;
  for (const { 0: text, index } of whole.matchAll(wanted)) {
    if (index > at) pieces.push({ text: whole.slice(at, index), hit: undefined });
    pieces.push({ text, hit });
    hit += 1;
    at = index + text.length;
  }
  if (at < whole.length || pieces.length === 0)
    pieces.push({ text: whole.slice(at), hit: undefined });
  return pieces;
}
