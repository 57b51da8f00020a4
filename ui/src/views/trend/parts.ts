import { t } from '../../text/t';

/** The elements of the slider. */
export interface SliderParts {
  readonly canvas: HTMLCanvasElement;
  readonly window: HTMLElement;
  readonly left: HTMLElement;
  readonly right: HTMLElement;
}

export function sliderParts(document: Document): SliderParts {
  const handle = (side: string, label: string): HTMLElement => {
    const element = document.createElement('div');
    element.className = `handle is-${side}`;
    element.tabIndex = 0;
    element.setAttribute('role', 'slider');
    element.setAttribute('aria-label', label);
    return element;
  };
  const window = document.createElement('div');
  window.className = 'window';
  const left = handle('left', t('slider.left'));
  const right = handle('right', t('slider.right'));
  window.append(left, right);
  return { canvas: document.createElement('canvas'), window, left, right };
}
