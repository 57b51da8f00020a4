import type { ErrorCode } from './bindings';
import type { WireError } from './known';

const CODES: readonly ErrorCode[] = [
  'not_recognized',
  'damaged',
  'wants_code',
  'unreadable',
  'unwritable',
  'cancelled',
  'closed',
  'bug',
];

/** A refusal, as something to throw. */
export class Refusal extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Whatever was thrown, as a refusal. What is not one of ours is a bug of ours. */
export function wireError(thrown: unknown): WireError {
  if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && 'message' in thrown) {
    const code = CODES.find((candidate) => candidate === thrown.code);
    if (code !== undefined && typeof thrown.message === 'string') {
      return { code, message: thrown.message };
    }
  }
  if (thrown instanceof Error) return { code: 'bug', message: told(thrown) };
  return { code: 'bug', message: typeof thrown === 'string' ? thrown : JSON.stringify(thrown) };
}

/** The message and where it was thrown: WebKit's stacks do not repeat the message. */
function told({ name, message, stack = '' }: Error): string {
  return stack.includes(message) ? stack || message : `${name}: ${message}\n${stack}`;
}
