/** The size of an element in device pixels, and how many there are in a CSS pixel. */
export interface Size {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/** Tells the device pixels of `element`, now and whenever they change. The answer ends that. */
export function watchSize(element: Element, listener: (size: Size) => void): () => void {
  const observer = new ResizeObserver(([entry]) => {
    if (entry === undefined) return;
    const css = entry.contentRect;
    const exact =
      'devicePixelContentBoxSize' in entry ? entry.devicePixelContentBoxSize[0] : undefined;
    const width = exact?.inlineSize ?? Math.round(css.width * devicePixelRatio);
    const height = exact?.blockSize ?? Math.round(css.height * devicePixelRatio);
    if (width > 0 && height > 0) listener({ width, height, scale: width / css.width });
  });
  const observe = (): void => {
    observer.disconnect();
    try {
      observer.observe(element, { box: 'device-pixel-content-box' });
    } catch {
      observer.observe(element);
    }
  };
  observe();
  const stop = watchRatio(observe);
  return () => {
    observer.disconnect();
    stop();
  };
}

/** Calls `changed` whenever the device pixel ratio changes, as on a move to another screen. */
function watchRatio(changed: () => void): () => void {
  let stop = (): void => undefined;
  const listen = (): void => {
    const query = matchMedia(`(resolution: ${devicePixelRatio.toString()}dppx)`);
    const listener = (): void => {
      stop();
      listen();
      changed();
    };
    query.addEventListener('change', listener);
    stop = () => {
      query.removeEventListener('change', listener);
    };
  };
  listen();
  return () => {
    stop();
  };
}
