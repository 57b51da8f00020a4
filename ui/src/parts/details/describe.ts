import { count, duration } from '../../base/format';
import { t } from '../../text/t';
import type { BlockDetails, StackView } from '../../wire/known';

/** `4,912 events · 38.2 ms`. */
export function lifeText(block: BlockDetails): string {
  const events = t('status.events', { count: block.life_events, text: count(block.life_events) });
  const time = block.life_us === undefined ? '' : ` · ${duration(block.life_us)}`;
  const isOpen = block.free_requested === undefined && block.free_completed === undefined;
  return `${events}${time}${isOpen ? `, ${t('hover.toEnd')}` : ''}`;
}

const REASONS = ['before_recording', 'no_context', 'empty'] as const;

/** Why a stack has no frames; nothing when it has some. */
export function missingText(stack: StackView): string | undefined {
  if (stack.frames.length > 0) return undefined;
  const reason = REASONS.find((each) => each === stack.missing) ?? 'other';
  return t(`details.missing.${reason}`);
}
