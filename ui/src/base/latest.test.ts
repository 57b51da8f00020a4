import { expect, test } from 'vitest';
import { Latest } from './latest';

interface Open {
  readonly question: string;
  readonly answer: (value: string) => void;
  readonly refuse: (error: Error) => void;
}

function latest(): {
  readonly asked: Open[];
  readonly answers: string[];
  readonly errors: unknown[];
  readonly put: (question: string) => void;
  readonly drop: () => void;
} {
  const asked: Open[] = [];
  const answers: string[] = [];
  const errors: unknown[] = [];
  const one = new Latest<string, string>(
    (question) =>
      new Promise((answer, refuse) => {
        asked.push({ question, answer, refuse });
      }),
    (answer) => answers.push(answer),
    (error) => errors.push(error),
  );
  return {
    asked,
    answers,
    errors,
    put: (question) => {
      one.put(question);
    },
    drop: () => {
      one.drop();
    },
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test('asks one at a time, and of those that wait only the last', async () => {
  const one = latest();
  ['a', 'b', 'c', 'd'].forEach(one.put);
  expect(one.asked.map((open) => open.question)).toEqual(['a']);
  one.asked[0]?.answer('A');
  await settle();
  expect(one.asked.map((open) => open.question)).toEqual(['a', 'd']);
  one.asked[1]?.answer('D');
  await settle();
  expect(one.answers).toEqual(['A', 'D']);
});

test('goes on after a refusal', async () => {
  const one = latest();
  one.put('a');
  one.put('b');
  one.asked[0]?.refuse(new Error('no'));
  await settle();
  one.asked[1]?.answer('B');
  await settle();
  expect([one.errors.length, one.answers]).toEqual([1, ['B']]);
});

test('an answer that was dropped is not told', async () => {
  const one = latest();
  one.put('a');
  one.drop();
  one.asked[0]?.answer('A');
  await settle();
  expect(one.answers).toEqual([]);
});
