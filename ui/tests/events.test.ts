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
import { eventAt } from '../src/state/shared';
import { demoEngine } from '../src/wire/demo/engine';
import { demoRecording } from '../src/wire/demo/recording';
import type { Engine } from '../src/wire/engine';
import type { RowsQuestion, TablePage } from '../src/wire/tables';

const RECORDING = demoRecording();
const BLOCKS = RECORDING.blocks;
/** Where the list of all events is put. */
const ALL_SLOT = 3;

/** A block of the recording's middle, with all three events. */
const block = (() => {
  const found = BLOCKS.find(({ alloc, freeCompleted }) => alloc > 1000 && freeCompleted);
  if (found?.freeRequested === undefined || found.freeCompleted === undefined) {
    throw new Error('no such block');
  }
  const { address, size, alloc, freeRequested, freeCompleted } = found;
  return { address, size, events: [alloc, freeRequested, freeCompleted] };
})();

interface Stand {
  readonly session: Session;
  readonly rows: RowsQuestion[];
  /** Questions for one event alone. */
  readonly single: number[];
}

async function opened(): Promise<Stand> {
  const demo = demoEngine({ pace: 0 });
  const rows: RowsQuestion[] = [];
  const single: number[] = [];
  const engine: Engine = {
    ...demo,
    event: (session, device, event) => {
      single.push(event);
      return demo.event(session, device, event);
    },
    tables: {
      ...demo.tables,
      rows: (view, question) => {
        rows.push(question);
        return demo.tables.rows(view, question);
      },
    },
  };
  return { session: await shown(engine), rows, single };
}

/** The page over `engine` with its recording open. */
async function shown(engine: Engine): Promise<Session> {
  const busy = new Busy();
  const desk = new Desk(counted(engine, busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  await desk.open({ kind: 'file', path: '/r/rank0.pickle' });
  await expect.element(page.getByTestId('event-search')).toBeInTheDocument();
  await idle();
  const session = desk.session.get();
  if (session === undefined) throw new Error('nothing is open');
  return session;
}

const idle = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 160));
  await window.__tidemark?.idle();
  await new Promise((resolve) => setTimeout(resolve, 30));
  await window.__tidemark?.idle();
};

const field = () => page.getByTestId('event-search');
const place = () => page.getByTestId('event-place');
const list = () => page.getByTestId('event-list');

const listRows = (): readonly HTMLElement[] =>
  list()
    .getByRole('option')
    .elements()
    .filter((row) => row instanceof HTMLElement);

/** The numbers of the events that are marked as hits, or of all rows. */
function numbers(only: 'hits' | 'all'): readonly number[] {
  return listRows()
    .filter((row) => only === 'all' || row.classList.contains('is-hit'))
    .map((row) => Number(row.querySelector('.number')?.textContent.replaceAll(',', '')));
}

async function search(text: string): Promise<void> {
  await field().fill(text);
  await idle();
}

beforeEach(() => {
  localStorage.clear();
  const style = document.createElement('style');
  style.textContent = 'body > div { height: 100vh }';
  document.head.append(style);
});

test('the list is read by pages, not event by event', async () => {
  const { session, rows, single } = await opened();
  single.length = 0;
  rows.length = 0;
  session.send({ kind: 'visit', event: { event: 3000, time_us: undefined } });
  await idle();
  // Only what is selected is read alone.
  expect(single).toEqual([3000]);
  expect(rows.length).toBeLessThan(8);
  expect(numbers('all')).toContain(3000);
  const row = listRows().find((one) => one.ariaSelected === 'true');
  expect(row?.textContent).toMatch(/0x7f[0-9a-f]{10}/);
  expect(row?.textContent).toMatch(/(B|iB)/);
  expect(row?.title).toMatch(/^event 3,000 .* bytes · 2026-/);
});

test('an address is found in hex with and without 0x and in decimal', async () => {
  await opened();
  const hex = block.address.toString(16);
  for (const text of [`0x${hex}`, hex, hex.toUpperCase(), block.address.toString()]) {
    await search(text);
    await expect.element(place()).toHaveTextContent('– / 3');
  }
  // Digits of one are in many others.
  await search(hex.slice(0, 7));
  const found = place().element().textContent;
  expect(Number(found.split('/')[1]?.replaceAll(/[ ,]/g, ''))).toBeGreaterThan(3);
});

test('an address inside a block finds the events of the block, when that is wanted', async () => {
  const { session } = await opened();
  const inside = `0x${(block.address + block.size - 1).toString(16)}`;
  await search(inside);
  await page.getByTestId('address-mode').selectOptions('is');
  await idle();
  await expect.element(place()).toHaveTextContent('no hits');
  await page.getByTestId('address-mode').selectOptions('in block');
  await idle();
  await expect.element(place()).toHaveTextContent('– / 3');
  await page.getByTestId('hits-only').click();
  await idle();
  expect(numbers('all')).toEqual(block.events);
  expect(eventAt(session.shared.get())).not.toBe(block.events[0]);
});

test('Enter goes from hit to hit and around; the rest follows', async () => {
  const { session } = await opened();
  session.send({ kind: 'visit', event: { event: block.events[0] ?? 0, time_us: undefined } });
  await search(`0x${block.address.toString(16)}`);
  await expect.element(place()).toHaveTextContent('1 / 3');
  const at = (): number => eventAt(session.shared.get());
  const pressed: number[] = [];
  for (const keys of ['{Enter}', '{F3}', '{Enter}', '{Shift>}{Enter}{/Shift}']) {
    await userEvent.keyboard(keys);
    await idle();
    pressed.push(at());
  }
  const [alloc, requested, completed] = block.events;
  expect(pressed).toEqual([requested, completed, alloc, completed]);
  await expect.element(place()).toHaveTextContent('3 / 3');
  await expect.element(page.getByTestId('pool-moment')).toHaveTextContent(/right after event/);
  await page.getByTestId('hit-previous').click();
  await idle();
  expect(at()).toBe(requested);
  await page.getByTestId('hit-next').click();
  await page.getByTestId('hit-next').click();
  await idle();
  expect(at()).toBe(alloc);
  await expect.element(page.getByTestId('details')).toHaveTextContent('alloc');
});

test('typed and entered at once, it goes to the first hit of what was typed', async () => {
  const { session } = await opened();
  session.send({ kind: 'visit', event: { event: 0, time_us: undefined } });
  await idle();
  await field().fill(`0x${block.address.toString(16)}`);
  await userEvent.keyboard('{Enter}');
  await idle();
  expect(eventAt(session.shared.get())).toBe(block.events[0]);
});

test('hits are marked among all events, wherever the list is', async () => {
  const { session } = await opened();
  await search(`0x${block.address.toString(16)}`);
  for (const event of block.events) {
    session.send({ kind: 'visit', event: { event, time_us: undefined } });
    await idle();
    const shown = numbers('all');
    expect(shown).toContain(event);
    expect(numbers('hits')).toEqual(block.events.filter((one) => shown.includes(one)));
  }
  await page.getByTestId('event-search-clear').click();
  await idle();
  expect(numbers('hits')).toEqual([]);
});

test('actions are chosen from those that are there, with how many', async () => {
  await opened();
  const frees = BLOCKS.filter(({ freeCompleted }) => freeCompleted !== undefined).length;
  await page.getByTestId('event-actions').click();
  const choice = page.getByRole('checkbox', { name: /^free_completed/ });
  await expect.element(choice).toBeInTheDocument();
  const label = choice.element().closest('label')?.textContent;
  expect(label?.replaceAll(/[^\d]/g, '')).toBe(frees.toString());
  await choice.click();
  await idle();
  expect(place().element().textContent.replaceAll(',', '')).toMatch(`/ ${frees.toString()}`);
  // Both at once: one event of the block.
  await search(`0x${block.address.toString(16)}`);
  await expect.element(place()).toHaveTextContent(/ 1$/);
  await page.getByTestId('hits-only').click();
  await idle();
  expect(numbers('all')).toEqual([block.events[2]]);
  // One part after the other is taken out again.
  await page.getByRole('button', { name: /^Search without 0x/ }).click();
  await idle();
  expect(place().element().textContent.replaceAll(',', '')).toMatch(`/ ${frees.toString()}`);
  await page.getByRole('button', { name: 'Search without free_completed' }).click();
  await idle();
  expect(place().elements()).toEqual([]);
});

test('stacks are searched; words have to match all', async () => {
  await opened();
  await search('metrics.py');
  // The leak of every step, and nothing else.
  await expect.element(place()).toHaveTextContent('– / 7');
  await search('metrics.py nowhere.py');
  await expect.element(place()).toHaveTextContent('no hits');
  await expect.element(field()).toHaveAttribute('aria-invalid', 'true');
  await page.getByTestId('hits-only').click();
  await expect.element(list()).toHaveTextContent('No event matches');
});

test('only hits: the list is theirs, a click selects, the selected one is kept in view', async () => {
  localStorage.setItem('tidemark.pool', '420');
  const { session } = await opened();
  await search('metrics.py');
  await page.getByTestId('hits-only').click();
  await idle();
  const leaks = BLOCKS.filter(({ stack }) => stack === 11).map(({ alloc }) => alloc);
  expect(numbers('all')).toEqual(leaks);
  await list().getByRole('option').nth(2).click();
  await idle();
  expect(eventAt(session.shared.get())).toBe(leaks[2]);
  await expect.element(place()).toHaveTextContent('3 / 7');
  expect(listRows().find((row) => row.ariaSelected === 'true')?.textContent).toContain('alloc');
});

test('Ctrl+F looks for events where the pointer or the focus is in the pool', async () => {
  await opened();
  const press = (): KeyboardEvent => {
    const event = new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, cancelable: true });
    window.dispatchEvent(event);
    return event;
  };
  await page.getByTestId('lifecycle-canvas').hover();
  expect(press().defaultPrevented).toBe(false);
  expect(document.activeElement).not.toBe(field().element());
  await list().hover();
  expect(press().defaultPrevented).toBe(true);
  expect(document.activeElement).toBe(field().element());
  await field().fill('0x7f');
  // Letters that are keys of the pictures are typed; Escape takes them back, then leaves.
  await userEvent.keyboard('b');
  await expect.element(field()).toHaveValue('0x7fb');
  await userEvent.keyboard('{Escape}');
  await expect.element(field()).toHaveValue('');
  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => {
    expect(document.activeElement).not.toBe(field().element());
  });
});

test('the arrow keys step one row at a time and the pool is there at once', async () => {
  const { session } = await opened();
  session.send({ kind: 'visit', event: { event: 500, time_us: undefined } });
  await idle();
  const top = (): number => Math.min(...numbers('all'));
  const tops: number[] = [];
  for (let i = 1; i <= 12; i += 1) {
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', cancelable: true }));
    await window.__tidemark?.idle();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(eventAt(session.shared.get())).toBe(500 + i);
    await expect.element(page.getByTestId('pool-moment')).toHaveTextContent((500 + i).toString());
    expect(numbers('all')).toContain(500 + i);
    tops.push(top());
  }
  // It never jumps: from one step to the next the list moves by a row at most.
  tops.slice(1).forEach((row, i) => {
    expect(row - (tops[i] ?? 0)).toBeLessThanOrEqual(1);
    expect(row - (tops[i] ?? 0)).toBeGreaterThanOrEqual(0);
  });
});

test('ten million events scroll to the last one, read by pages', async () => {
  const MANY = 10_000_000;
  const demo = demoEngine({ pace: 0 });
  const asked: number[] = [];
  const rowsAt = ({ offset, count, columns }: RowsQuestion): TablePage => ({
    offset,
    rows: Array.from({ length: Math.max(0, Math.min(count, MANY - offset)) }, (_, at) => ({
      row: offset + at,
      event: offset + at,
      block: undefined,
      stack: undefined,
      cells: columns.map((column) => (column === 'action' ? 'alloc' : undefined)),
    })),
  });
  const engine: Engine = {
    ...demo,
    open: async (request, source, progress) => {
      const opened = await demo.open(request, source, progress);
      const devices = opened.summary.devices.map((device) => ({ ...device, events: MANY }));
      return { ...opened, summary: { ...opened.summary, devices } };
    },
    tables: {
      ...demo.tables,
      open: async (slot, question, first) => {
        const answer = await demo.tables.open(slot, question, first);
        if (slot !== ALL_SLOT) return answer;
        const statistics = { ...answer.statistics, count: MANY, of: MANY };
        return { ...answer, view: -1, statistics, page: rowsAt(first) };
      },
      rows: (view, question) => {
        if (view !== -1) return demo.tables.rows(view, question);
        asked.push(question.offset);
        return Promise.resolve(rowsAt(question));
      },
    },
  };
  await shown(engine);
  const box = list().element();
  box.scrollTop = box.scrollHeight;
  await idle();
  expect(numbers('all').at(-1)).toBe(MANY - 1);
  expect(listRows().at(-1)?.textContent).toContain('alloc');
  asked.length = 0;
  box.scrollTop = box.scrollHeight / 2;
  await idle();
  const [first = 0] = numbers('all');
  expect(Math.abs(first - MANY / 2)).toBeLessThan(MANY / 100);
  // What is looked at comes first, then what lies around it, and no more.
  expect(asked[0]).toBe(Math.floor(first / 100) * 100);
  expect(asked.length).toBeLessThanOrEqual(5);
});
