import type { Busy } from '../base/busy';
import type { Engine } from '../wire/engine';

/** What takes as long as a person likes, and what is told for as long as the window lives. */
const FOR_A_PERSON: ReadonlySet<string | symbol> = new Set([
  'chooseFile',
  'chooseFolder',
  'chooseTarget',
  'onAsked',
  'onDrop',
]);

/** `engine`, with every question under way counted. */
export function counted(engine: Engine, busy: Busy): Engine {
  return counting(engine, busy);
}

/** Counts every function of `part`, and of the parts in it, until what it promises is there. */
function counting<T extends object>(part: T, busy: Busy): T {
  return new Proxy(part, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value === 'object' && value !== null) return counting(value, busy);
      if (typeof value !== 'function' || FOR_A_PERSON.has(name)) return value;
      return (...given: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, target, given);
        return answer instanceof Promise ? during(answer, busy) : answer;
      };
    },
  });
}

async function during<T>(answer: Promise<T>, busy: Busy): Promise<T> {
  const end = busy.begin();
  try {
    return await answer;
  } finally {
    end();
  }
}
