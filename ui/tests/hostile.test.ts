import { beforeEach, expect, test } from 'vitest';
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
import { fresh } from './tables';

/** What a stranger may write where a name is expected. */
const IMAGE = '<img src=x onerror="window.taken=1" data-hostile>';
const SCRIPT = '<script data-hostile>window.taken=1</script>';
const TEMPLATE = '{@html "<b data-hostile>"} {{name}} $t(app.name)';

/** `value` with every text in it, however deep, replaced by what `hostile` makes of it. */
function spoiled(
  value: unknown,
  hostile: (text: string, key: string) => string,
  key = '',
): unknown {
  if (typeof value === 'string') return hostile(value, key);
  if (Array.isArray(value)) return value.map((one) => spoiled(one, hostile, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, spoiled(one, hostile, name)]),
  );
}

const NAMES = new Set(['name', 'function', 'file', 'filename', 'path', 'title', 'owner', 'tag']);

const hostileOf =
  (text: string) =>
  (value: string, key: string): string =>
    NAMES.has(key) ? text : value;

/** An engine whose answers have `text` for every name. */
function hostileEngine(text: string): Engine {
  const demo = demoEngine({ pace: 0 });
  const bad = async <T>(answer: Promise<T>): Promise<T> =>
    spoiled(await answer, hostileOf(text)) as T;
  return {
    ...demo,
    open: (...args) => bad(demo.open(...args)),
    block: (...args) => bad(demo.block(...args)),
    annotations: (...args) => bad(demo.annotations(...args)),
    decompose: (...args) => bad(demo.decompose(...args)),
  };
}

beforeEach(fresh);

test.each([
  [IMAGE, 'rank0.pickle'],
  [SCRIPT, 'rank0.pickle'],
  [TEMPLATE, 'rank0.pickle'],
  [IMAGE, 'dump.db'],
])('%s in place of every name of %s is shown as it is', async (text, file) => {
  const busy = new Busy();
  const desk = new Desk(counted(hostileEngine(text), busy));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy, theme, drawing: 'raster' });
  await desk.open({ kind: 'file', path: `/r/${file}` });
  const session = desk.session.get();
  if (session === undefined) throw new Error('not open');
  session.send({ kind: 'select', selection: { kind: 'block', block: 5 }, wanted: 'nothing' });
  await expect.element(page.getByTestId('details-address')).toBeInTheDocument();
  await window.__tidemark?.idle();
  await new Promise((resolve) => setTimeout(resolve, 100));
  await window.__tidemark?.idle();
  expect(document.querySelectorAll('[data-hostile]')).toHaveLength(0);
  expect('taken' in window).toBe(false);
  await expect.element(page.getByTestId('tab')).toHaveTextContent(text.replaceAll(/\s+/g, ' '));
});
