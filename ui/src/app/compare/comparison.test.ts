import { afterEach, describe, expect, it, vi } from 'vitest';
import { loaded } from '../../base/load';
import { periodAt } from '../../state/shared';
import { demoEngine } from '../../wire/demo/engine';
import type { Engine } from '../../wire/engine';
import { Comparison } from './comparison';

let opened: Comparison | undefined;

afterEach(() => {
  opened?.stop();
  opened = undefined;
});

/** Two invented recordings, the second a longer run of a smaller model. */
async function compared(a = 'one.pickle', b = 'other.pickle'): Promise<Comparison> {
  const engine: Engine = demoEngine({ pace: 0 });
  const open = (request: number, path: string): ReturnType<Engine['open']> =>
    engine.open(request, { kind: 'file', path }, () => undefined);
  const comparison = new Comparison(engine, await open(1, a), await open(2, b));
  opened = comparison;
  await vi.waitFor(() => {
    expect(comparison.steps.get().phase).toBe('ready');
    expect(comparison.answer.get().phase).toBe('ready');
  });
  return comparison;
}

const sharedOf = ({
  sessions,
}: Comparison): readonly [
  ReturnType<Comparison['sessions'][0]['shared']['get']>,
  ReturnType<Comparison['sessions'][0]['shared']['get']>,
] => [sessions[0].shared.get(), sessions[1].shared.get()];

describe('what is shown on both sides', () => {
  it('shows the same events on both sides, as far as either reaches', async () => {
    const comparison = await compared();
    const [a, b] = sharedOf(comparison);
    expect(a.x.event).toEqual(b.x.event);
    const longest = Math.max(
      ...comparison.sessions.map(({ opened }) => opened.summary.devices[0]?.events ?? 0),
    );
    expect(a.x.event.to).toBe(longest);

    comparison.sessions[1].send({ kind: 'show', x: { from: 10, to: 60 } });
    expect(sharedOf(comparison)[0].x.event).toEqual({ from: 10, to: 60 });
    comparison.sessions[0].send({ kind: 'zoom-x', at: 30, factor: 0.5 });
    const [zoomed, along] = sharedOf(comparison);
    expect(along.x.event).toEqual(zoomed.x.event);
    expect(comparison.linking.leader.get()).toBe(0);
  });

  it('moves the cursor along, and keeps it inside the recording', async () => {
    const comparison = await compared();
    const [first] = comparison.sessions;
    first.send({ kind: 'cursor', event: { event: 40, time_us: undefined } });
    expect(sharedOf(comparison)[1].cursor?.event).toBe(40);
    const counts = comparison.sessions.map(({ opened }) => opened.summary.devices[0]?.events ?? 0);
    const longer = counts[0] === Math.max(...counts) ? 0 : 1;
    const shorter = longer === 0 ? 1 : 0;
    const last = (counts[longer] ?? 0) - 1;
    comparison.sessions[longer].send({
      kind: 'cursor',
      event: { event: last, time_us: undefined },
    });
    expect(sharedOf(comparison)[shorter].cursor?.event).toBe((counts[shorter] ?? 0) - 1);
    // The side that was asked keeps its own.
    expect(sharedOf(comparison)[longer].cursor?.event).toBe(last);
  });

  it('lays steps of one number over each other', async () => {
    const comparison = await compared();
    comparison.linking.choose('step');
    const steps = loaded(comparison.steps.get())?.steps ?? [];
    const third = steps[2];
    if (third === undefined) throw new Error('too few steps');
    const x = { from: third.a.from_event, to: third.a.to_event };
    comparison.sessions[0].send({ kind: 'show', x });
    const there = sharedOf(comparison)[1].x.event;
    expect(there.from).toBeCloseTo(third.b.from_event, 6);
    expect(there.to).toBeCloseTo(third.b.to_event, 6);

    const selection = {
      kind: 'period',
      from: third.a.from_event,
      to: third.a.to_event - 1,
      time: undefined,
    } as const;
    comparison.sessions[0].send({ kind: 'select', selection, wanted: 'nothing' });
    expect(periodAt(sharedOf(comparison)[1])).toEqual({
      from: third.b.from_event,
      to: third.b.to_event,
    });
  });
});

describe('what a person links by', () => {
  it('leaves each side alone when they are free', async () => {
    const comparison = await compared();
    comparison.linking.choose('free');
    const before = sharedOf(comparison)[1];
    comparison.sessions[0].send({ kind: 'show', x: { from: 5, to: 9 } });
    comparison.sessions[0].send({ kind: 'cursor', event: { event: 7, time_us: undefined } });
    expect(sharedOf(comparison)[1]).toBe(before);
    expect(before.x.event.to).toBe(comparison.sessions[1].opened.summary.devices[0]?.events);
  });

  it('links by time where that is asked for', async () => {
    const comparison = await compared();
    comparison.linking.choose('time');
    expect(sharedOf(comparison).map(({ axis }) => axis)).toEqual(['time', 'time']);
    comparison.sessions[0].send({ kind: 'show', x: { from: 1000, to: 9000 } });
    expect(sharedOf(comparison)[1].x.time).toEqual({ from: 1000, to: 9000 });
    comparison.sessions[0].send({ kind: 'moment', us: 5000 });
    await vi.waitFor(() => {
      expect(sharedOf(comparison)[1].cursor?.at).toBe(5000);
    });
  });
});

describe('what both sides hold', () => {
  it('selects the counterpart, and says how it was found', async () => {
    const comparison = await compared();
    const block = 200;
    comparison.sessions[0].send({
      kind: 'select',
      selection: { kind: 'block', block },
      wanted: 'nothing',
    });
    await vi.waitFor(() => {
      expect(comparison.counterpart.get()?.load.phase).toBe('ready');
    });
    const found = loaded(comparison.counterpart.get()?.load ?? { phase: 'empty' });
    if (found?.kind !== 'block') throw new Error('no block was found');
    expect(sharedOf(comparison)[1].selection).toEqual({ kind: 'block', block: found.block });
    expect(sharedOf(comparison)[0].selection).toEqual({ kind: 'block', block });
    expect(found.place_a).toBeGreaterThan(0);
    // The one that followed learns of its life, which moves nobody else.
    await vi.waitFor(() => {
      expect(comparison.sessions[1].details.get().phase).toBe('ready');
    });
    expect(comparison.linking.leader.get()).toBe(0);
    expect(sharedOf(comparison)[0].selection).toEqual({ kind: 'block', block });

    // A block from before the recording has no stack.
    comparison.sessions[0].send({
      kind: 'select',
      selection: { kind: 'block', block: 0 },
      wanted: 'nothing',
    });
    await vi.waitFor(() => {
      const load = comparison.counterpart.get()?.load;
      expect(load?.phase === 'ready' && load.value.kind).toBe('none');
    });
    expect(sharedOf(comparison)[1].selection.kind).toBe('none');
  });
});

describe('the difference', () => {
  it('tells growth the other way round once the sides are swapped', async () => {
    const comparison = await compared();
    const before = loaded(comparison.answer.get());
    comparison.swap();
    await vi.waitFor(() => {
      expect(loaded(comparison.answer.get())?.change).toBe(-(before?.change ?? 0));
    });
    expect(loaded(comparison.answer.get())?.a.name).toBe('other.pickle');
  });

  it('asks anew for the end of a step, or wherever the cursor goes', async () => {
    const comparison = await compared();
    const step = loaded(comparison.steps.get())?.steps[1];
    if (step === undefined) throw new Error('too few steps');
    comparison.choose(0, { kind: 'step', step: step.last });
    comparison.choose(1, { kind: 'cursor' });
    comparison.sessions[1].send({ kind: 'cursor', event: { event: 33, time_us: undefined } });
    await vi.waitFor(() => {
      const found = comparison.answer.get();
      expect(found.phase === 'ready' && [found.value.a.event, found.value.b.event]).toEqual([
        step.a.to_event - 1,
        33,
      ]);
    });
  });

  it('compares owners where both are dumps, else stacks', async () => {
    const dumps = await compared('one-dump.db', 'two-dump.db');
    expect(dumps.by.get()).toBe('owner');
    expect(loaded(dumps.answer.get())?.rows.some(({ lines }) => lines?.[0]?.includes('@'))).toBe(
      true,
    );
    dumps.stop();
    const mixed = await compared('one.pickle', 'two-dump.db');
    expect(mixed.by.get()).toBe('stack');
    expect(mixed.linking.mode.get()).toBe('time');
  });
});
