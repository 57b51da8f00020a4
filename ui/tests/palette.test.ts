import { afterEach, beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { COMMAND_IDS } from '../src/state/commands';
import { Refusal } from '../src/wire/error';
import { idle, open, stage } from './stage';

const palette = page.getByTestId('palette');
const field = page.getByTestId('palette-field');
const chosen = (): string =>
  document.querySelector('[role=option][data-selected]')?.textContent.trim() ?? '';
const options = (): readonly string[] =>
  [...document.querySelectorAll('[data-testid=palette] [role=option]')].map((one) =>
    one.textContent.replace(/\s+/g, ' ').trim(),
  );
const selectedTab = (): string =>
  document.querySelector('[data-testid=details] [role=tab][aria-selected=true]')?.textContent ?? '';

beforeEach(async () => {
  localStorage.clear();
  await page.viewport(1280, 900);
});
afterEach(() => {
  localStorage.clear();
});

test('Ctrl+K opens the palette over the start page, with what can be done there', async () => {
  stage();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(field).toHaveFocus();
  expect(options()).toContain('Open a recording… CtrlO');
  expect(options().some((line) => line.startsWith('Go to the peak'))).toBe(false);
  await userEvent.keyboard('{Escape}');
  await expect.element(palette).not.toBeInTheDocument();
});

test('a command is found by a part of its name, done, and the focus goes back', async () => {
  await open(stage());
  const help = page.getByTestId('help-button').element() as HTMLElement;
  help.focus();
  await userEvent.keyboard('{Control>}k{/Control}');
  await field.fill('by pool and');
  await expect.poll(chosen).toMatch(/^Group the pool/);
  await userEvent.keyboard('{Enter}');
  await expect.element(palette).not.toBeInTheDocument();
  await expect.element(page.getByTestId('pool-group')).toBeChecked();
  expect(document.activeElement).toBe(help);
});

test('what a command can be set to is in the list, with what it is now', async () => {
  await open(stage());
  await page.getByTestId('search-field').click();
  await field.fill('colour by');
  await expect.poll(options).toContain('Colour by: stack now');
  await page.getByText('Colour by: size').click();
  await expect.element(page.getByTestId('color-select')).toHaveValue('size');
});

test('an address leads to the blocks and the segment that held it', async () => {
  const desk = stage();
  await open(desk);
  const session = desk.session.get();
  const block = await demoBlock(desk);
  await userEvent.keyboard('{Control>}k{/Control}');
  await field.fill(block.address);
  await expect.poll(options).toContainEqual(expect.stringContaining(block.address));
  await expect.poll(chosen).toMatch(/^Block /);
  await userEvent.keyboard('{Enter}');
  await idle();
  expect(session?.shared.get().selection).toEqual({ kind: 'block', block: block.block });
  expect(selectedTab()).toMatch(/^Block /);
});

test('a number leads to the event, a name to stacks and ranges, all shown everywhere', async () => {
  const desk = stage();
  await open(desk);
  const shared = desk.session.get()?.shared;
  await userEvent.keyboard('{Control>}k{/Control}');
  await field.fill('#12');
  await palette.getByText(/^Event 12$/).click();
  await idle();
  expect(shared?.get().selection).toEqual({ kind: 'event', event: 12 });
  expect(shared?.get().cursor?.event).toBe(12);

  await userEvent.keyboard('{Control>}k{/Control}');
  await field.fill('backward');
  await palette.getByText('backward', { exact: true }).first().click();
  await idle();
  expect(shared?.get().selection.kind).toBe('period');

  await userEvent.keyboard('{Control>}k{/Control}');
  await field.fill('_append_history');
  await palette.getByText('metrics.py:61 _append_history').click();
  await idle();
  await expect.element(page.getByTestId('details')).toHaveTextContent('_append_history');
});

test('an owner of a dump is found by its own level', async () => {
  const desk = stage();
  await open(desk, '/r/dump.db');
  await userEvent.keyboard('{Control>}k{/Control}');
  await field.fill('aten');
  await page.getByRole('option', { name: /^PTA@ops@aten / }).click();
  await idle();
  expect(desk.session.get()?.shared.get().selection).toEqual({
    kind: 'owner',
    tag: 'PTA@ops@aten',
  });
});

test('what is on another device is found too, and choosing it goes there', async () => {
  const desk = stage();
  await open(desk, '/r/dump.db');
  const session = desk.session.get();
  const devices = session?.opened.summary.devices ?? [];
  expect(devices.length).toBeGreaterThan(1);
  expect(session?.shared.get().device).toBe(0);
  const other = devices[1]?.name ?? '';
  await userEvent.keyboard('{Control>}k{/Control}');
  await field.fill('#2');
  const group = palette.getByRole('group', { name: `Event · ${other}` });
  await group.getByRole('option', { name: /^Event 2/ }).click();
  expect(session?.shared.get().device).toBe(1);
  expect(session?.shared.get().selection).toEqual({ kind: 'event', event: 2 });
});

/** Does the command that is found by `typed`, the palette being called from wherever the focus is. */
async function command(typed: string): Promise<void> {
  await userEvent.keyboard('{Control>}k{/Control}');
  await field.fill(typed);
  await expect.poll(chosen).toMatch(new RegExp(`^${typed}`));
  await userEvent.keyboard('{Enter}');
  await expect.element(palette).not.toBeInTheDocument();
}

test('the rows of the table in front are chosen and cleared by commands', async () => {
  const desk = stage();
  await open(desk);
  // Without a period there is nothing but all rows.
  await userEvent.keyboard('{Control>}k{/Control}');
  await field.fill('Rows of the table');
  await expect.poll(options).toContain('Rows of the table: All now');
  expect(options().some((one) => one.startsWith('Rows of the table: In period'))).toBe(false);
  expect(options().some((one) => one.startsWith('Clear the filters'))).toBe(false);
  await userEvent.keyboard('{Escape}');

  const period = { kind: 'period', from: 10, to: 60, time: undefined } as const;
  desk.session.get()?.send({ kind: 'select', selection: period, wanted: 'nothing' });
  await command('Rows of the table: Not freed in it');
  await expect.element(page.getByTestId('scope-kept')).toHaveAttribute('aria-pressed', 'true');

  // Called from a field that takes letters for itself.
  await page.getByTestId('filter-top_frame').fill('metrics');
  await expect.element(page.getByTestId('clear-filters')).toBeInTheDocument();
  await command('Clear the filters of the table');
  await expect.element(page.getByTestId('filter-top_frame')).toHaveValue('');
});

test('the table in front is written and shown by commands', async () => {
  const targets: string[] = [];
  const desk = stage((engine) => ({
    tables: {
      ...engine.tables,
      chooseTarget: (_, name) => {
        targets.push(name);
        return Promise.resolve(undefined);
      },
    },
  }));
  await open(desk);
  await command('Unit of the table: MiB');
  await expect.element(page.getByTestId('unit')).toHaveValue('MiB');
  await command('Show or hide the column: Requested');
  await expect.element(page.getByTestId('sort-requested')).not.toBeInTheDocument();
  await command('Export the rows of the table');
  await expect.poll(() => targets).toEqual(['rank0-blocks.csv']);
});

test('nothing found, and a search that failed, say so', async () => {
  const desk = stage((engine) => ({
    find: (question) =>
      question.text.includes('broken')
        ? Promise.reject(new Refusal('bug', 'out of range'))
        : engine.find(question),
  }));
  await open(desk);
  await userEvent.keyboard('{Control>}k{/Control}');
  await field.fill('zzqzzq');
  const status = page.getByTestId('palette-status');
  await expect.element(status).toHaveTextContent(/zzqzzq/);
  await field.fill('zz broken');
  await expect.element(status).toHaveTextContent('out of range');
});

test('keys do not reach the views while the palette is open', async () => {
  const desk = stage();
  await open(desk);
  const before = desk.session.get()?.shared.get();
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}b');
  expect(desk.session.get()?.shared.get()).toBe(before);
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(palette).not.toBeInTheDocument();
});

test('F6 goes from pane to pane, and back with Shift', async () => {
  await open(stage());
  const names: (string | null)[] = [];
  for (let i = 0; i < 3; i += 1) {
    await userEvent.keyboard('{F6}');
    names.push(document.activeElement?.getAttribute('aria-label') ?? null);
  }
  expect(new Set(names).size).toBe(3);
  await userEvent.keyboard('{Shift>}{F6}{/Shift}');
  expect(document.activeElement?.getAttribute('aria-label')).toBe(names[1]);
});

test('every button that names a command names one of the registry, and says its keys', async () => {
  await open(stage());
  const buttons = [...document.querySelectorAll<HTMLElement>('[data-command]')];
  expect(buttons.length).toBeGreaterThan(8);
  for (const { dataset } of buttons) expect(COMMAND_IDS).toContain(dataset.command);
});

async function demoBlock(
  desk: ReturnType<typeof stage>,
): Promise<{ readonly address: string; readonly block: number }> {
  const session = desk.session.get()?.opened.session ?? 0;
  const { address } = await desk.engine.block(session, 0, 300);
  const found = await desk.engine.find({ session, device: 0, text: address });
  return { address, block: found.blocks.first[0]?.block ?? -1 };
}
