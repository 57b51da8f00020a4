import type { Intent } from '../../state/update';
import type { SliceDetails } from '../../wire/flame';

/**
 * What choosing a call means for the memory that is shown: the events in it are the period; when
 * there are none, the cursor goes to the state at its start.
 */
export function chosenIntent({ allocations, start_us, end_us }: SliceDetails): Intent | undefined {
  if (allocations === undefined) return undefined;
  const { first_event: from, last_event: to, before_event } = allocations;
  if (from === undefined || to === undefined) {
    return { kind: 'cursor', event: { event: before_event, time_us: undefined } };
  }
  const time = { from: start_us, to: end_us };
  return { kind: 'select', selection: { kind: 'period', from, to, time }, wanted: 'nothing' };
}

/** What shows a call with a little beside it. */
export function fitIntent(call: { readonly start_us: number; readonly end_us: number }): Intent {
  const margin = (call.end_us - call.start_us) * 0.03;
  return { kind: 'show', x: { from: call.start_us - margin, to: call.end_us + margin } };
}
