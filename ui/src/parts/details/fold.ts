import type { FrameView } from '../../wire/known';

/** A stack as it is shown: the user's frames one by one, runs of others folded. */
export type StackRow =
  | { readonly kind: 'frame'; readonly frame: FrameView; readonly index: number }
  | {
      readonly kind: 'fold';
      readonly frames: readonly FrameView[];
      /** What the frames have in common; nothing for native code. */
      readonly where: string | undefined;
      readonly index: number;
    };

/** Whether a frame tells of the user's own code: it is, or it was compiled from it. */
const isOwn = (frame: FrameView): boolean =>
  frame.kind === 'user' || frame.traced?.line !== undefined;

/** Folds what lies between the user's frames. A stack without any is shown whole. */
export function foldFrames(frames: readonly FrameView[]): readonly StackRow[] {
  if (!frames.some(isOwn)) {
    return frames.map((frame, index) => ({ kind: 'frame', frame, index }));
  }
  const rows: StackRow[] = [];
  let run: FrameView[] = [];
  const flush = (end: number): void => {
    if (run.length > 0) {
      rows.push({ kind: 'fold', frames: run, where: commonPlace(run), index: end - run.length });
    }
    run = [];
  };
  frames.forEach((frame, index) => {
    if (!isOwn(frame)) {
      run.push(frame);
      return;
    }
    flush(index);
    rows.push({ kind: 'frame', frame, index });
  });
  flush(frames.length);
  return rows;
}

/** `torch/nn/modules/…`: the folder (or file) that holds all Python frames of a run. */
export function commonPlace(frames: readonly FrameView[]): string | undefined {
  const paths = frames
    .filter((frame) => frame.kind !== 'native')
    .map((frame) => packagePath(frame.file).split('/'));
  const [first, ...others] = paths;
  if (first === undefined) return undefined;
  if (others.every((path) => path.join('/') === first.join('/'))) return first.join('/');
  const shared = first.filter((part, i) =>
    others.every(
      (path) =>
        path.slice(0, i + 1).join('/') === first.slice(0, i + 1).join('/') && part === path[i],
    ),
  );
  if (shared.length > 0) return `${shared.join('/')}/…`;
  return [...new Set(paths.map((path) => path[0] ?? ''))].slice(0, 3).join(', ');
}

/** A file without the folders every installed package has in common. */
export function packagePath(file: string): string {
  const tail = /(?:site-packages|dist-packages)\/(.+)$/.exec(file)?.[1];
  return tail ?? /\/lib\/python[^/]*\/(.+)$/.exec(file)?.[1] ?? file.replace(/^\/+/, '');
}

/** A file without its folders. */
export const fileName = (file: string): string => file.split(/[\\/]/).at(-1) ?? file;

/** `mlp.py:62 forward`. */
export function frameTitle(frame: FrameView): string {
  if (frame.kind === 'native') return frame.name;
  return `${fileName(frame.file)}${frame.line === undefined ? '' : `:${frame.line.toString()}`} ${frame.name}`;
}

/** `/w/mlp.py:62 forward`: all that is known of a frame. */
export const frameLine = (frame: FrameView): string =>
  frame.file === '' ? frame.name : whole(frame);

const whole = (frame: FrameView): string =>
  `${frame.file}${frame.line === undefined ? '' : `:${frame.line.toString()}`} ${frame.name}`;

/** The whole stack as text, for the clipboard. */
export const stackText = (frames: readonly FrameView[]): string => frames.map(frameLine).join('\n');

/** A stack as text the way it is shown: closed folds are one line of `words`. */
export function shownText(
  rows: readonly StackRow[],
  isOpen: (row: StackRow) => boolean,
  words: (count: number, where: string | undefined) => string,
): string {
  const lines = rows.flatMap((row) => {
    if (row.kind === 'frame') return [frameLine(row.frame)];
    return isOpen(row) ? row.frames.map(frameLine) : [`(${words(row.frames.length, row.where)})`];
  });
  return lines.join('\n');
}
