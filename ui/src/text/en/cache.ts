/** The words of the indexes on disk; part of `en`. */
export const cache = {
  title:
    'Indexes let a recording open again without being read. They can be made again at any time, and the oldest go first.',
  usage_one: '{{text}} index for quick reopening, {{size}}',
  usage_other: '{{text}} indexes for quick reopening, {{size}}',
  limit: 'at most',
  none: 'none',
  clear: 'Delete them',
} as const;
