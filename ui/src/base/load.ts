/** Where an answer has got to. There is no other flag for it anywhere. */
export type Load<T, E> =
  | { readonly phase: 'empty' }
  | { readonly phase: 'loading'; readonly stale: T | undefined }
  | { readonly phase: 'ready'; readonly value: T }
  | { readonly phase: 'failed'; readonly error: E };

/** The last value that arrived, while it is still worth showing. */
export function loaded<T, E>(load: Load<T, E>): T | undefined {
  switch (load.phase) {
    case 'ready':
      return load.value;
    case 'loading':
      return load.stale;
    case 'empty':
    case 'failed':
      return undefined;
  }
}
