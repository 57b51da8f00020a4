/** The 2D context of a canvas; every web view has one. */
export function context2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this web view has no 2D canvas');
  return context;
}
