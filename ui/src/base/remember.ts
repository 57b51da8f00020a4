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
