import { t } from '../../text/t';

/** The elements of the slider. */
export interface SliderParts {
  readonly canvas: HTMLCanvasElement;
  readonly window: HTMLElement;
  readonly left: HTMLElement;
  readonly right: HTMLElement;
  /** Says in the language of the page what the parts are. */
  readonly name: () => void;
}

export function sliderParts(document: Document): SliderParts {
  const handle = (side: string): HTMLElement => {
    const element = document.createElement('div');
    element.className = `handle is-${side}`;
    element.tabIndex = 0;
    element.setAttribute('role', 'slider');
    return element;
  };
  const window = document.createElement('div');
  window.className = 'window';
  const left = handle('left');
  const right = handle('right');
  window.append(left, right);
  const name = (): void => {
    left.setAttribute('aria-label', t('slider.left'));
    right.setAttribute('aria-label', t('slider.right'));
  };
  name();
  return { canvas: document.createElement('canvas'), window, left, right, name };
}
