import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../src/app/App.svelte';
import { counted } from '../src/app/counted';
import { Desk } from '../src/app/desk';
import '../src/app/lifecycle.css';
import '../src/app/theme.css';
import { ThemeSwitch } from '../src/app/theme';
import { Busy } from '../src/base/busy';
import { demoEngine } from '../src/wire/demo/engine';
import type { Engine } from '../src/wire/engine';

export const idle = async (): Promise<void> => {
  await window.__tidemark?.idle();
};

/** The page over `engine` with its recording open. */
export async function opened(engine: Engine = demoEngine({ pace: 0 })): Promise<Desk> {
  const busy = new Busy();
  const desk = new Desk(counted(engine, busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  await page.getByTestId('open-sample').click();
  await expect.element(page.getByTestId('lifecycle-canvas')).toBeInTheDocument();
  await vi.waitFor(() => {
    if (texts('size').length === 0) throw new Error('no rows yet');
  });
  await idle();
  return desk;
}

export const headers = (): readonly string[] =>
  page
    .getByTestId('table-grid')
    .getByRole('columnheader')
    .elements()
    .map((header) => header.querySelector('button')?.dataset.testid?.slice(5) ?? '');

export const rows = (): readonly HTMLElement[] =>
  page
    .getByTestId('table-row')
    .elements()
    .filter((row) => row instanceof HTMLElement)
    .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex));

/** The cells of a column, from the top. */
export function cells(column: string): readonly HTMLElement[] {
  const at = headers().indexOf(column);
  return rows().flatMap((row) => {
    const cell = row.children[at];
    return cell instanceof HTMLElement && cell.querySelector('.blank') === null ? [cell] : [];
  });
}

export const texts = (column: string): readonly string[] =>
  cells(column).map((cell) => cell.textContent.trim());

export const selectedIndex = (): number | undefined => {
  const row = rows().find((one) => one.ariaSelected === 'true');
  return row === undefined ? undefined : Number(row.ariaRowIndex);
};

export async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 220));
  await idle();
}

/** Leaves nothing of the test before, and gives the page the window's height. */
export function fresh(): void {
  localStorage.clear();
  const root = document.createElement('style');
  root.textContent = 'body > div { height: 100vh }';
  document.head.append(root);
}
