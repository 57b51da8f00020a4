import type { FrameView, StackView } from '../../wire/known';

/** A C stack of a dump, one frame a line as the file has it; nothing where there is none. */
export function cStack(text: string | undefined): StackView | undefined {
  const lines = (text ?? '')
    .replace(/^"(.*)"$/s, '$1')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== 'NA' && line !== 'N/A');
  const frame = (name: string): FrameView => ({ name, file: '', line: undefined, kind: 'native' });
  return lines.length === 0 ? undefined : { frames: lines.map(frame), missing: undefined };
}
