import type { Desk } from './desk';

/** Goes to a tab by its place: Ctrl and 1 to 8, and 9 for the last, as in browsers. */
export function tabKey(event: KeyboardEvent, desk: Desk): boolean {
  if (event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey)) return false;
  if (!/^[1-9]$/.test(event.key)) return false;
  const tabs = desk.tabs.get();
  const tab = event.key === '9' ? tabs.at(-1) : tabs[Number(event.key) - 1];
  if (tab !== undefined) desk.show(tab.id);
  return true;
}
