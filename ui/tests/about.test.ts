import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '../src/app/App.svelte';
import { counted } from '../src/app/counted';
import { Desk } from '../src/app/desk';
import '../src/app/lifecycle.css';
import '../src/app/theme.css';
import { ThemeSwitch } from '../src/app/theme';
import { Busy } from '../src/base/busy';
import { demoEngine } from '../src/wire/demo/engine';

beforeEach(async () => {
  localStorage.clear();
  const root = document.createElement('style');
  root.textContent = 'body > div { height: 100vh }';
  document.head.append(root);
  const desk = new Desk(counted(demoEngine({ pace: 0 }), new Busy()));
  const theme = new ThemeSwitch(document.documentElement);
  void render(App, { desk, busy: new Busy(), theme, drawing: 'raster' });
  await page.getByTestId('help-button').click();
  await page.getByTestId('help-about').click();
});

test('the About box tells versions and the licence of the program', async () => {
  await expect.element(page.getByTestId('about-facts')).toHaveTextContent('3.50.0');
  await expect.element(page.getByTestId('about-facts')).toHaveTextContent('not recorded');
  await expect.element(page.getByTestId('about-licence')).toHaveTextContent('Apache License');
});

test('a part is found by its name, and its licence is read', async () => {
  await page.getByTestId('about-search').fill('zrender');
  const part = page.getByTestId('about-part').first();
  await expect.element(part).toHaveTextContent('BSD-3-Clause');
  await part.click();
  await expect.element(page.getByTestId('about-licence')).toHaveTextContent('Redistribution');
  await page.getByTestId('about-search').fill('no such thing');
  await expect.element(page.getByTestId('about')).toHaveTextContent('Nothing has that name');
});

test('Esc closes it', async () => {
  await expect.element(page.getByTestId('about')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByTestId('about')).not.toBeInTheDocument();
});
