/** One of the attributes that the collector wrote of an event. */
export interface Attribute {
  readonly key: string;
  readonly value: string;
}

/** Keys that the collector writes; one ends the value before it. */
const KEYS = [
  'allocation_id',
  'addr',
  'size',
  'total',
  'used',
  'pinned',
  'shadow',
  'owner',
  'inefficient_type',
  'inefficient type',
  'page_type',
  'alloc_type',
  'type',
  'dtype',
  'shape',
  'format',
  'MID',
  'stream_ptr',
];

/**
 * What stands in an `Attr`, in its order: JSON, or what is nearly that. A text of which nothing can
 * be told is one value without a key.
 */
export function attributesOf(text: string): readonly Attribute[] {
  const all = text.trim();
  if (all === '' || all === '{}' || all === 'N/A') return [];
  return ofJson(all) ?? ofKeys(all) ?? [{ key: '', value: all }];
}

function ofJson(text: string): readonly Attribute[] | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    // Files hold text that is no JSON: it is read by its keys.
    return undefined;
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined;
  return Object.entries(read).map(([key, value]: [string, unknown]) => ({
    key,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));
}

/** `{allocation_id:4,addr:0x10,shape:torch.Size([1, 3])}`: values are not escaped. */
function ofKeys(text: string): readonly Attribute[] | undefined {
  const inner = text.replace(/^"?\{/, '').replace(/\}"?$/, '');
  const names = [...KEYS].sort((a, b) => b.length - a.length).join('|');
  const starts = [...inner.matchAll(new RegExp(`(?:^|,)\\s*"?(${names})"?\\s*:`, 'g'))];
  if (starts.length === 0 || starts[0]?.index !== 0) return undefined;
  return starts.map(({ 0: start, 1: key = '', index }, at) => {
    const end = starts[at + 1]?.index ?? inner.length;
    const value = inner.slice(index + start.length, end).trim();
    return { key, value: value.replace(/^"(.*)"$/s, '$1') };
  });
}
