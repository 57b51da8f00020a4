/** 地址图。 */
export const map = {
  title: '地址图',
  picture: '地址图：每个内存段一条泳道，内存块位于各自的地址处，横轴同上。',
  sort: '排序',
  orders: { address: '地址', size: '大小' },
  hint: 'Ctrl+滚轮缩放地址 · B 框选 · Shift+拖动选区间 · R 显示全部',
  summary: '{{lanes}} · 地址范围 {{bytes}}',
  lanes_other: '{{text}} 条泳道',
  inLane: '泳道 {{address}}，{{size}}',
  hole: '约 {{size}} 空闲',
  holeShown: '按当前显示精度',
  released: '此处未映射',
  hidden: '该事件处有 {{blocks}}过小，未能绘出',
  small: '小空隙',
  large: '大空隙',
  none: '从未映射过内存段。',
  reading: '…',
  help: {
    zoom: '地址图：缩放地址（或在泳道旁滚动）',
    click: '地址图：选中内存块；空闲与空隙处则选中该事件时的内存段',
  },
} as const;
