/** Goes to the next pane, or the one before: around the ends. */
export function nextPane(document: Document, by: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(
    (pane) => pane.getClientRects().length > 0,
  );
  if (panes.length === 0) return;
  const here = panes.findLastIndex((pane) => pane.contains(document.activeElement));
  const at = here < 0 ? (by > 0 ? 0 : -1) : (here + by) % panes.length;
  panes.at(at)?.focus();
}
