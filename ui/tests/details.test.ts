import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../src/app/App.svelte';
import { counted } from '../src/app/counted';
import { Desk } from '../src/app/desk';
import '../src/app/lifecycle.css';
import type { Session } from '../src/app/session';
import { ThemeSwitch } from '../src/app/theme';
import '../src/app/theme.css';
import { Busy } from '../src/base/busy';
import type { Selection } from '../src/state/shared';
import { demoDump } from '../src/wire/demo/dump';
import { demoEngine } from '../src/wire/demo/engine';
import type { Engine } from '../src/wire/engine';
import type { ProgressNow } from '../src/wire/known';
import { fresh, idle } from './tables';

beforeEach(fresh);

const DUMP = demoDump()[0];
if (DUMP === undefined) throw new Error('no dump');
const leak = DUMP.blocks.findIndex(({ owner }) => owner === 'PTA@ops@aten@leaks_mem');

/** The page with nothing open. */
function shown(engine: Engine = demoEngine({ pace: 0 })): Desk {
  const busy = new Busy();
  const desk = new Desk(counted(engine, busy));
  void render(App, {
    desk,
    busy,
    theme: new ThemeSwitch(document.documentElement),
    drawing: 'raster',
  });
  return desk;
}

/** The page with a dump open. */
async function opened(engine?: Engine): Promise<Session> {
  const desk = shown(engine);
  await desk.open({ kind: 'file', path: '/r/memscope_dump.db' });
  await expect.element(page.getByTestId('lifecycle-canvas')).toBeInTheDocument();
  await idle();
  const session = desk.session.get();
  if (session === undefined) throw new Error('nothing is open');
  return session;
}

async function select(session: Session, selection: Selection): Promise<void> {
  session.send({ kind: 'select', selection, wanted: 'nothing' });
  await idle();
}

const text = (id: string): string =>
  page.getByTestId(`details-${id}`).element().textContent.replace(/\s+/g, ' ').trim();

/** `key=value` of the attributes, in their order. */
const attributes = (): readonly string[] =>
  [...page.getByTestId('details-attributes').element().querySelectorAll('dt')].map(
    (key) => `${key.textContent}=${key.nextElementSibling?.textContent ?? ''}`,
  );

test('the details of a block of a dump have what the manual lists', async () => {
  const session = await opened();
  await select(session, { kind: 'block', block: leak });
  await expect.element(page.getByTestId('details-owner')).toBeInTheDocument();
  const block = DUMP.blocks[leak];
  expect(text('id')).toContain((block?.alloc ?? 0).toString());
  expect(text('address')).toBe(`0x${(block?.address ?? 0).toString(16)}`);
  expect(text('size')).toBe('40.00 MiB');
  await expect.element(page.getByTestId('details')).toHaveTextContent('41,943,040 bytes');
  expect(text('malloc')).toBe('10.000 000 000 s');
  // By the clock: the start and ten seconds.
  const malloc = page.getByTestId('details-malloc').element();
  expect(malloc.getAttribute('title')).toMatch(/^2026-05-\d\d \d\d:\d\d:\d\d\.000000123\n/);
  expect(text('free')).toBe('not freed in this recording');
  // To the end, which is at 35 s and 500 ns.
  expect(text('lifetime')).toBe('25 s 500 ns');
  expect(text('owner')).toBe('PTA › ops › aten › leaks_mem');
  expect([text('process'), text('thread')]).toEqual(['4242', '4242']);
  expect([text('device'), text('pool')]).toEqual(['0', 'PTA']);
  expect(text('allocation-id')).toBe((leak + 1).toString());
  // 48 MiB of weights and this are used; the pool took 80 MiB twice.
  expect(attributes()).toEqual([
    `allocation_id=${(leak + 1).toString()}`,
    `addr=${text('address')}`,
    'size=41943040',
    'total=167772160',
    'used=92274688',
    'owner=PTA@ops@aten@leaks_mem',
  ]);
  // Nothing of what only snapshots have.
  for (const word of ['Requested', 'Segment', 'Stream', 'Free completed', 'Origin']) {
    expect(page.getByTestId('details').element().textContent).not.toContain(word);
  }
});

test('a block that the collector made up says that it was there before', async () => {
  const session = await opened();
  await select(session, { kind: 'block', block: 0 });
  await expect
    .element(page.getByTestId('details'))
    .toHaveTextContent('there before recording began');
});

test('each level of the owner selects what it holds', async () => {
  const session = await opened();
  await select(session, { kind: 'block', block: leak });
  await page.getByTestId('details-owner').getByRole('button', { name: 'ops' }).click();
  expect(session.shared.get().selection).toEqual({ kind: 'owner', tag: 'PTA@ops' });
  await expect.element(page.getByTestId('owner-facts')).toHaveTextContent('PTA@ops');
});

test('stacks of Python and of C stand apart, and both are searched', async () => {
  const session = await opened();
  // The weights have both.
  await select(session, { kind: 'block', block: 1 });
  await expect.element(page.getByTestId('details-stack')).toHaveTextContent('Stack (Python)');
  const native = page.getByTestId('details-c-stack');
  await expect.element(native).toHaveTextContent('libascend_hal.so(halMemAlloc+0x9c)');
  await native.getByTestId('stack-find').click();
  await native.getByTestId('stack-find-field').fill('libascend');
  await expect.element(native.getByTestId('stack-hits')).toHaveTextContent('1/2');
  // A block without a C stack has no heading for one.
  await select(session, { kind: 'block', block: leak });
  await expect.element(native).not.toBeInTheDocument();
});

/** A dump whose block has many accesses. */
function accessed(): Engine {
  const engine = demoEngine({ pace: 0 });
  return {
    ...engine,
    block: async (session, device, block) => {
      const details = await engine.block(session, device, block);
      if (details.dump === undefined) return details;
      const drawn = Array.from({ length: 40 }, (_, at) => ({
        time_us: 11_000_000 + at * 250_000 + (at > 20 ? 6_000_000.25 : 0),
        kind: at % 3 === 0 ? 'WRITE' : 'READ',
        name: `aten::op_${at.toString()}`,
        offset: at * 512,
      }));
      const dump = {
        ...details.dump,
        accesses: 40,
        first_access_us: 11_000_000,
        last_access_us: 26_750_000.25,
        longest_gap_us: 6_250_000.25,
        drawn,
      };
      return { ...details, dump };
    },
  };
}

test('the strip of accesses tells what is at the pointer and puts the cursor there', async () => {
  const session = await opened(accessed());
  await select(session, { kind: 'block', block: leak });
  expect(text('access-count')).toBe('40');
  expect(text('first-access')).toBe('11.000 000 000 s');
  expect(text('longest-gap')).toBe('6 s 250 ms 250 ns');
  const strip = page.getByTestId('access-strip');
  await expect.element(page.getByTestId('details-accesses')).toHaveTextContent('longest gap');
  const box = strip.element().getBoundingClientRect();
  expect([box.height, box.width > 250]).toEqual([48, true]);
  // The life is from 10 s to 35 s, over all but four pixels at both ends.
  const at = (seconds: number): number => 4 + ((seconds - 10) / 25.0000005) * (box.width - 8);
  await strip.hover({ position: { x: at(12), y: 30 } });
  await expect.element(page.getByTestId('access-told')).toHaveTextContent('READ aten::op_4');
  await expect.element(page.getByTestId('access-told')).toHaveTextContent('12.000 000 000 s');
  await expect.element(page.getByTestId('access-told')).toHaveTextContent('at byte 2,048');
  await strip.click({ position: { x: at(12), y: 30 } });
  await idle();
  // The last event at or before 12 s; what is selected stays.
  const last = DUMP.times.findLastIndex((us) => us <= 12_000_000);
  await vi.waitFor(() => {
    expect(session.shared.get().cursor?.event).toBe(last);
  });
  expect(session.shared.get().selection).toEqual({ kind: 'block', block: leak });
});

test('keys go from access to access and do not move the pictures', async () => {
  const session = await opened(accessed());
  await select(session, { kind: 'block', block: leak });
  const before = session.shared.get().x;
  const strip = page.getByTestId('access-strip').element();
  if (strip instanceof SVGElement) strip.focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
  await expect.element(page.getByTestId('access-told')).toHaveTextContent('READ aten::op_2');
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(page.getByTestId('access-told')).toHaveTextContent('READ aten::op_1');
  expect(session.shared.get().x).toEqual(before);
  await userEvent.keyboard('{Enter}');
  await idle();
  const last = DUMP.times.findLastIndex((us) => us <= 11_250_000);
  await vi.waitFor(() => {
    expect(session.shared.get().cursor?.event).toBe(last);
  });
});

test('a block is tagged by the thresholds that are set', async () => {
  const session = await opened(accessed());
  await select(session, { kind: 'block', block: leak });
  expect(page.getByTestId('details-inefficient').elements()).toEqual([]);
  const off = { ns: undefined, percent: undefined };
  session.send({
    kind: 'light-inefficient',
    thresholds: { lazy: off, delayed: off, idle: { ns: undefined, percent: 20 } },
  });
  await expect
    .element(page.getByTestId('details-inefficient'))
    .toHaveTextContent('idle not used for 6 s 250 ms 250 ns in between');
});

test('the details of an event of a dump have its row, its pool and its block', async () => {
  const session = await opened();
  const event = DUMP.blocks[leak]?.alloc ?? 0;
  await select(session, { kind: 'event', event });
  await expect.element(page.getByTestId('details-event-type')).toHaveTextContent('PTA');
  expect([text('action'), text('name')]).toEqual(['MALLOC', 'N/A']);
  expect(text('id')).toBe((event + 1 + Math.floor(event / 5)).toString());
  expect(text('time')).toBe('10.000 000 000 s');
  expect([text('process'), text('thread')]).toEqual(['4242', '4242']);
  expect(attributes()).toContain('owner=PTA@ops@aten@leaks_mem');
  // 48 MiB of weights and this; the pool takes 80 MiB at a time.
  expect(text('totals')).toContain('Allocated 88.00 MiB');
  expect(text('totals')).toContain('Pool total 160.00 MiB');
  await page.getByTestId('details-block').click();
  expect(session.shared.get().selection).toEqual({ kind: 'block', block: leak });
});

test('totals that a pool does not tell are not there', async () => {
  const session = await opened();
  session.send({ kind: 'device', device: 1 });
  await select(session, { kind: 'event', event: 1 });
  await expect.element(page.getByTestId('details-totals')).toHaveTextContent('Allocated');
  expect(text('totals')).not.toContain('Pool');
});

test('a period of a dump tells its times and its pool', async () => {
  const session = await opened();
  await select(session, {
    kind: 'period',
    from: 12,
    to: 14,
    time: { from: 10_000_000, to: 10_500_000 },
  });
  const details = page.getByTestId('details');
  await expect.element(details).toHaveTextContent('10.000 000 000 s – 10.500 000 000 s 500 ms');
  await expect.element(details).toHaveTextContent('Pool used');
  expect(details.element().textContent).not.toContain('Reserved');
});

test('bars and banner say what a dump is', async () => {
  await opened();
  await expect.element(page.getByTestId('status')).toHaveTextContent('msMemScope dump, sqlite');
  const rows = demoDump().reduce((sum, { events }) => sum + events, 0);
  await expect
    .element(page.getByTestId('status-dump'))
    .toHaveTextContent(`${rows.toString()} rows · 1 process · 35.0 s`);
  await expect
    .element(page.getByRole('banner'))
    .toHaveTextContent(`msMemScope · ${rows.toString()} rows`);
  const banner = page.getByRole('region', { name: 'Good to know' }).element().textContent;
  expect(banner).toContain('invented');
  expect(banner).not.toContain('stack');
});

test('both samples are offered, and a folder', async () => {
  const engine = demoEngine({ pace: 0 });
  const asked: unknown[] = [];
  const open = (request: number, source: unknown, progress: (now: ProgressNow) => void) => {
    asked.push(source);
    return engine.open(request, { kind: 'file', path: '/r/memscope_dump.db' }, progress);
  };
  const desk = shown({ ...engine, open });
  const back = async (): Promise<void> => {
    await expect.element(page.getByTestId('status')).toBeInTheDocument();
    desk.close();
    await expect.element(page.getByRole('main')).toBeInTheDocument();
  };
  await expect.element(page.getByRole('main')).toHaveTextContent('.db, .csv, or a folder');
  await page.getByText('msMemScope sample', { exact: true }).click();
  await back();
  await page.getByText('PyTorch snapshot sample').click();
  await back();
  await page.getByTestId('open-folder').click();
  await expect.element(page.getByTestId('status')).toBeInTheDocument();
  // Also beside what is open.
  desk.close();
  await desk.open({ kind: 'file', path: '/r/other.pickle' });
  await page.getByTestId('open-folder').click();
  await vi.waitFor(() => {
    expect(asked).toHaveLength(5);
  });
  expect(asked).toEqual([
    { kind: 'sample', which: 'dump' },
    { kind: 'sample', which: 'snapshot' },
    { kind: 'file', path: '/recordings/memscope_dump' },
    { kind: 'file', path: '/r/other.pickle' },
    { kind: 'file', path: '/recordings/memscope_dump' },
  ]);
});

test('a folder that is dropped is opened and told by its name', async () => {
  const engine = demoEngine({ pace: 0 });
  let drop: ((path: string) => void) | undefined;
  const desk = shown({
    ...engine,
    onDrop: (listener) => {
      drop = (path) => {
        listener({ kind: 'dropped', paths: [path] });
      };
      return Promise.resolve(() => undefined);
    },
  });
  await vi.waitFor(() => {
    if (drop === undefined) throw new Error('nobody listens');
  });
  drop?.('/r/memscope_dump_of_two/');
  await expect.element(page.getByTestId('status')).toHaveTextContent('msMemScope dump');
  expect(desk.session.get()?.opened.summary.dump).toBeDefined();
});
