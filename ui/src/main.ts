import { mount } from 'svelte';
import './app/theme.css';
import './app/lifecycle.css';
import App from './app/App.svelte';
import { Busy } from './base/busy';
import { counted } from './app/counted';
import { Desk } from './app/desk';
import { startLanguage } from './app/language';
import { ThemeSwitch } from './app/theme';
import type { Engine } from './wire/engine';

/** Tauri puts this on the window; a plain browser gets the invented engine. */
const isTauri = '__TAURI_INTERNALS__' in window;

const query = new URLSearchParams(location.search);

async function chosenEngine(): Promise<Engine> {
  if (isTauri) return (await import('./wire/tauri')).tauriEngine;
  return (await import('./wire/demo/engine')).demoEngine({
    startup: query.get('open') ?? undefined,
  });
}

async function start(): Promise<void> {
  const target = document.getElementById('app');
  if (target === null) throw new Error('the page has no #app');
  startLanguage(document.documentElement, navigator.languages);
  const busy = new Busy();
  const desk = new Desk(counted(await chosenEngine(), busy));
  mount(App, {
    target,
    props: {
      desk,
      busy,
      theme: new ThemeSwitch(document.documentElement),
      drawing: query.get('draw'),
    },
  });
}

void start();
