/** 各内存池随时间的变化。 */
export const pools = {
  title: '内存池',
  region: '各内存池随时间的变化',
  columns: {
    pool: '内存池',
    stream: '流',
    reserved: '预留',
    active: '活跃',
    free: '空闲',
    largestGap: '最大连续空闲',
    segments: '内存段',
    peakReserved: '预留峰值',
  },
  curve: '所示范围内',
  standard: '默认内存池',
  curveOf: '内存池 {{pool}}，流 {{stream}}：预留为线，活跃为填充。单击将光标移到该处。',
  toPeak: '跳到峰值',
  sort: '按{{column}}排序',
  none: '没有内存池占用过内存。',
  reading: '读取中…',
  asOf: '事件 {{event}} 刚结束时',
  start: '首个事件之前',
} as const;
