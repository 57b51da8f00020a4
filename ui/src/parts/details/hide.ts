import { rememberedJson, rememberJson } from '../../base/remember';
import { Store } from '../../base/store';
import type { FrameView } from '../../wire/known';
import { frameLine } from './fold';

const NAME = 'hidden-frames';

/**
 * Which frames a typed pattern hides: those that have the text anywhere in their file, line and
 * name; a `*` in it stands for anything.
 */
export function hides(pattern: string): (frame: FrameView) => boolean {
  const parts = pattern.trim().split('*').filter(Boolean);
  if (parts.length === 0) return () => false;
  const escaped = parts.map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  const wanted = new RegExp(escaped.join('.*'), 'iu');
  return (frame) => wanted.test(frameLine(frame));
}

/** The frames that no pattern hides. */
export function withoutHidden(
  frames: readonly FrameView[],
  patterns: readonly string[],
): readonly FrameView[] {
  const tests = patterns.map(hides);
  return frames.filter((frame) => !tests.some((isHidden) => isHidden(frame)));
}

/** The patterns of frames that the person does not want to see; kept for the next time. */
export class HiddenFrames {
  readonly patterns = new Store<readonly string[]>(remembered());

  /** Hides what `pattern` says as well. */
  add(pattern: string): void {
    const text = pattern.trim();
    const isOfUse = text.replaceAll('*', '') !== '' && !this.patterns.get().includes(text);
    if (isOfUse) this.#set([...this.patterns.get(), text]);
  }

  /** Shows again what `pattern` hid. */
  remove(pattern: string): void {
    this.#set(this.patterns.get().filter((other) => other !== pattern));
  }

  #set(patterns: readonly string[]): void {
    this.patterns.set(patterns);
    rememberJson(NAME, patterns);
  }
}

function remembered(): readonly string[] {
  const kept = rememberedJson(NAME);
  return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
}
