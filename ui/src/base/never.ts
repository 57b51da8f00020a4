/** Closes a `switch` over a union: a member that was forgotten does not compile. */
export function never(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}
