import type { TableColumn, TableKind } from '../wire/tables';

type Names = Readonly<Partial<Record<TableColumn, string>>>;

/** What the manuals call the columns in Chinese, by table. */
export const zhColumns: Readonly<Record<TableKind, Names>> = {
  blocks: {
    id: '块ID',
    address: '内存地址',
    size: '内存大小',
    requested: '分配事件需求大小',
    state: '内存块状态',
    alloc_event: '分配事件ID',
    free_requested_event: '释放申请事件ID',
    free_event: '释放事件ID',
  },
  events: {
    id: '事件ID',
    action: '事件类型',
    address: '内存地址',
    size: '内存大小',
    stream: '流ID',
    allocated: '总二次分配内存',
    active: '总活跃内存',
    reserved: '总预留内存',
    stack: '调用栈',
  },
  dump_blocks: {
    id: '内存块ID',
    address: '内存块地址',
    size: '内存块大小',
    malloc_time_ns: '申请时间',
    free_time_ns: '释放时间',
    owner: '申请者',
    process: '进程ID',
    thread: '线程ID',
    first_access_ns: '首次访问时间',
    last_access_ns: '末次访问时间',
    longest_gap_ns: '最大访问时间间隔',
    attr: '特有属性',
  },
  dump_events: {
    id: '事件ID',
    event: '事件类型',
    event_type: '事件子类型',
    name: '名称',
    time_ns: '时间戳',
    process: '进程ID',
    thread: '线程ID',
    address: '内存地址',
    attr: '特有属性',
    python_stack: '调用栈(Python)',
    c_stack: '调用栈(C)',
  },
};
