import { count, duration } from '../../base/format';
import { en } from '../../text/en';
import type { BlockDetails, StackView } from '../../wire/known';

/** `4,912 events · 38.2 ms`. */
export function lifeText(block: BlockDetails): string {
  const events = en.status.events(block.life_events, count(block.life_events));
  const time = block.life_us === undefined ? '' : ` · ${duration(block.life_us)}`;
  const isOpen = block.free_requested === undefined && block.free_completed === undefined;
  return `${events}${time}${isOpen ? `, ${en.hover.toEnd}` : ''}`;
}

/** The catalogue's words for a code of the wire, or the code itself when it is newer than the page. */
export function named(words: Readonly<Record<string, string>>, code: string): string {
  return words[code] ?? code;
}

/** Why a stack has no frames; nothing when it has some. */
export function missingText(stack: StackView): string | undefined {
  if (stack.frames.length > 0) return undefined;
  const words: Readonly<Record<string, string>> = en.details.missing;
  return words[stack.missing ?? 'other'] ?? en.details.missing.other;
}
