import { getContext, setContext } from 'svelte';

/** Takes note of a mistake of ours, and gives what helps to find it, as text. */
export type Diagnose = (error: string) => Promise<string>;

const KEY = Symbol('diagnostics');

/** Lets the notices below in the page give more than the error itself. */
export const provideDiagnostics = (diagnose: Diagnose): Diagnose => setContext(KEY, diagnose);

/** What is told about the program; where nobody tells, nothing. */
export function diagnostics(): Diagnose {
  return getContext<Diagnose | undefined>(KEY) ?? (() => Promise.resolve(''));
}
