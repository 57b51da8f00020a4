/** Whether a key belongs to a field, or to the system, rather than to the picture. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const { target } = event;
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  );
}

/** Whether an element lies in a tab that is not in front: keys and clicks are not for it. */
export const isAside = (element: Element | undefined): boolean =>
  element !== undefined && element.closest('[inert]') !== null;
