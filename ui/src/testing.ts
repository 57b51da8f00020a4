import { demoEngine } from './wire/demo/engine';
import type { Opened } from './wire/known';

/** The invented recording, opened: for tests. */
export async function openedDemo(path = 'demo.pickle'): Promise<Opened> {
  return demoEngine({ pace: 0 }).open(1, { kind: 'file', path }, () => undefined);
}
