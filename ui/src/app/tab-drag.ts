import type { Desk } from './desk';

/** How far the pointer goes before a press is a drag, CSS pixels. */
const SLACK = 5;

/** Lets tabs be put in another order with the pointer. */
export class TabDrag {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Follows the pointer from a press on a tab until it is let go. */
  begin(event: PointerEvent, id: number): void {
    const { currentTarget: name, clientX: from, pointerId } = event;
    if (event.button !== 0 || !(name instanceof HTMLElement)) return;
    let isDragging = false;
    const move = (now: PointerEvent): void => {
      if (now.pointerId !== pointerId) return;
      isDragging ||= Math.abs(now.clientX - from) > SLACK;
      if (isDragging) this.#drag(name, id, now.clientX);
    };
    const end = (): void => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
  }

  /** Puts the tab where the pointer is past the middle of its neighbours. */
  #drag(name: HTMLElement, id: number, x: number): void {
    const tab = name.parentElement;
    const others = [...(tab?.parentElement?.children ?? [])].filter((one) => one !== tab);
    const to = others.filter((one) => {
      const box = one.getBoundingClientRect();
      return box.left + box.width / 2 < x;
    }).length;
    if (this.#desk.tabs.get()[to]?.id !== id) this.#desk.move(id, to);
  }
}
