/** 磁盘索引的文字。 */
export const cache = {
  title: '有了索引，采集文件无需重新读取即可再次打开。索引随时可以重建，超出上限时先删除最旧的。',
  usage_other: '{{text}} 个快速重开索引，共 {{size}}',
  limit: '上限',
  none: '不保留',
  clear: '全部删除',
} as const;
