/** Puts `text` on the clipboard, also where the web view has no clipboard interface. */
export async function copyText(document: Document, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(document, text);
  }
}

/** The old way: selects the text in a field nobody sees and has the web view copy it. */
function copyBySelection(document: Document, text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  document.body.append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way left when the interface is missing
  document.execCommand('copy');
  field.remove();
}
