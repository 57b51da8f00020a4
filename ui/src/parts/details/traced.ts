import { fileName } from './fold';
import type { FrameView } from '../../wire/known';

/** What tracing says of a frame of compiled code, in lines to show under it. */
export interface TracedText {
  /** `call_function linear → aten.addmm`: the node; empty when nothing is known of it. */
  readonly node: string;
  /** `net.py:7 forward: y = self.up(x)`: the line of the model; empty when it is not known. */
  readonly model: string;
  /** The whole stack at which it was traced. */
  readonly trace: string | undefined;
}

/** The lines for `frame`; nothing for code that was not compiled. */
export function tracedText(frame: FrameView): TracedText | undefined {
  const traced = frame.traced;
  if (traced === undefined) return undefined;
  const { op, name, target, line, trace } = traced;
  const node = [op, name].filter((text) => text !== undefined).join(' ');
  // A module is often called as it is named.
  const calls = target === undefined || target === name ? [] : [target];
  const text = {
    node: [...(node === '' ? [] : [node]), ...calls].join(' → '),
    model: line === undefined ? '' : modelText(line),
    trace: trace?.trimEnd(),
  };
  return text.node === '' && text.model === '' ? undefined : text;
}

type ModelLine = NonNullable<NonNullable<FrameView['traced']>['line']>;

function modelText({ file, line, name, code }: ModelLine): string {
  const at = `${fileName(file)}${line === undefined ? '' : `:${line.toString()}`}`;
  const place = name === '' ? at : `${at} ${name}`;
  return code === undefined ? place : `${place}: ${code}`;
}
