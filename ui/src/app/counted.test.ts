import { expect, test } from 'vitest';
import { Busy } from '../base/busy';
import { demoEngine } from '../wire/demo/engine';
import { counted } from './counted';

/** Whether `busy` comes to rest before a moment has passed. */
const rests = (busy: Busy): Promise<boolean> =>
  Promise.race([
    busy.idle().then(() => true),
    new Promise<boolean>((resolve) => {
      setTimeout(() => {
        resolve(false);
      }, 30);
    }),
  ]);

const isPart = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The functions of an engine and of its parts, by their path. */
function* functionsOf(part: object, path: readonly string[] = []): Generator<readonly string[]> {
  for (const name of Object.keys(part)) {
    const value: unknown = Reflect.get(part, name);
    if (typeof value === 'function') yield [...path, name];
    else if (isPart(value)) yield* functionsOf(value, [...path, name]);
  }
}

/** `part` with no function of it ever answering. */
const silent = <T extends object>(part: T): T =>
  new Proxy(part, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      return isPart(value) ? silent(value) : () => new Promise(() => undefined);
    },
  });

function call(part: object, path: readonly string[]): void {
  let at: unknown = part;
  for (const name of path) at = isPart(at) ? Reflect.get(at, name) : undefined;
  if (typeof at !== 'function') throw new Error(`${path.join('.')} is no function`);
  Reflect.apply(at, part, []);
}

const FOR_A_PERSON = ['chooseFile', 'chooseFolder', 'onAsked', 'onDrop', 'tables.chooseTarget'];

test('every question is counted until it is answered, and what waits for a person is not', async () => {
  const demo = demoEngine({ pace: 0 });
  const paths = [...functionsOf(demo)];
  expect(paths.length).toBeGreaterThan(50);
  const uncounted: string[] = [];
  for (const path of paths) {
    const busy = new Busy();
    call(counted(silent(demo), busy), path);
    if (await rests(busy)) uncounted.push(path.join('.'));
  }
  expect(uncounted.sort()).toEqual(FOR_A_PERSON);
});

test('an answer, and a refusal, end the count', async () => {
  const busy = new Busy();
  const demo = demoEngine({ pace: 0 });
  const engine = counted({ ...demo, changed: () => Promise.reject(new Error('gone')) }, busy);
  await expect(engine.changed(1)).rejects.toThrow('gone');
  expect(await rests(busy)).toBe(true);
  await engine.projects.list();
  expect(await rests(busy)).toBe(true);
});
