/** A number the person chose earlier; `otherwise` when there is none. */
export function rememberedNumber(name: string, otherwise: number): number {
  try {
    const text = localStorage.getItem(`tidemark.${name}`);
    const value = text === null ? Number.NaN : Number(text);
    return Number.isFinite(value) ? value : otherwise;
  } catch {
    return otherwise;
  }
}

/** Keeps a number for the next time; where nothing can be kept, that is no trouble. */
export function rememberNumber(name: string, value: number): void {
  try {
    localStorage.setItem(`tidemark.${name}`, value.toString());
  } catch {
    return;
  }
}

/** What the person chose earlier, as JSON said it; whoever asks checks what it is. */
export function rememberedJson(name: string): unknown {
  try {
    const text = localStorage.getItem(`tidemark.${name}`);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps a value for the next time; where nothing can be kept, that is no trouble. */
export function rememberJson(name: string, value: unknown): void {
  try {
    localStorage.setItem(`tidemark.${name}`, JSON.stringify(value));
  } catch {
    return;
  }
}
