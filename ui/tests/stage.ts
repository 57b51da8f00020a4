import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../src/app/App.svelte';
import { counted } from '../src/app/counted';
import { Desk } from '../src/app/desk';
import '../src/app/lifecycle.css';
import '../src/app/theme.css';
import { ThemeSwitch, type Choice } from '../src/app/theme';
import { Busy } from '../src/base/busy';
import { demoEngine } from '../src/wire/demo/engine';
import type { Engine } from '../src/wire/engine';

/** The whole page over the invented engine, or one that differs from it. */
export function stage(
  differs: (engine: Engine) => Partial<Engine> = () => ({}),
  choice: Choice = 'light',
): Desk {
  const busy = new Busy();
  const demo = demoEngine({ pace: 0 });
  const engine: Engine = { ...demo, ...differs(demo) };
  const desk = new Desk(counted(engine, busy));
  const theme = new ThemeSwitch(document.documentElement);
  theme.choose(choice);
  // What the page is put into is as high as the window, as `#app` is.
  const place = document.body.appendChild(document.createElement('div'));
  place.style.height = '100%';
  const props = { desk, busy, theme, drawing: 'raster' };
  void render(App, { target: place, props });
  return desk;
}

/** Until nothing is asked and nothing is drawn. */
export const idle = async (): Promise<void> => {
  await window.__tidemark?.idle();
};

/** Opens what a path of the invented engine stands for. */
export async function open(desk: Desk, path = '/r/rank0.pickle'): Promise<void> {
  await desk.open({ kind: 'file', path });
  await expect.element(page.getByTestId('status')).toBeInTheDocument();
  await idle();
}
