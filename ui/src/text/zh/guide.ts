/** 如何采集。其中的代码见 `parts/recipes.ts`。 */
export const guide = {
  title: '如何采集',
  link: '如何采集',
  close: '关闭',
  device: '采集设备',
  families: { cuda: 'CUDA、ROCm', npu: '昇腾 NPU', xpu: 'Intel XPU', memscope: 'msMemScope' },
  noHistory: '该采集文件没有历史记录。如需采集历史：',
  copy: '复制',
  copied: '已复制',
  otherwise: '默认 {{value}}',
  parameters: '{{call}} 的参数',
  notes: '须知',
  leads: {
    cuda: 'NVIDIA 上的 PyTorch；AMD 上调用方式相同。',
    npu: '昇腾上的 PyTorch，配合 torch_npu。',
    xpu: 'Intel 上的 PyTorch 2.11 或更高版本。',
    memscope: 'msMemScope 在框架之下采集：NPU 上的每个内存池、内存的申请者以及访问。',
  },
  codes: {
    around: '构建模型之前、执行任务、执行之后',
    oom: '内存不足时也保存快照',
    command: '命令行',
    python: '在 test.py 中包住要分析的代码：采集火焰图所需的 Python 调用栈',
    tag: '为几行代码的内存打标签',
  },
  remarks: {
    early: '请在分配任何内存之前调用：更早的内存没有调用栈；不调用则文件中完全没有历史记录。',
    rings:
      '一个训练 step 有数千至数万个事件。如果缺少最初的 step，请调大 max_entries；如果文件过大或写出需要数分钟，请使用 stacks="python"：C++ 栈会使文件增大数倍。',
    backward: '反向线程分配的内存没有 Python 帧，因此使用 stacks="python" 时其调用栈为空。',
    ownCalls:
      'torch.cuda.memory._record_memory_history 不会开启 NPU 的采集：请使用 torch_npu 的接口。',
    noTimes: 'torch_npu 不写入时间：横轴按事件计数。',
    costs: '与 PyTorch 内存快照相比，采集开销更大，文件也更大。',
    layers: '内存池是分层的（HAL 位于 PTA、ATB 等之下）：不要将它们相加。',
  },
  defaults: {
    noLimit: '无限制',
    current: '当前设备',
    keepAll: '全部保留',
    help: '见 msmemscope --help',
  },
  what: {
    enabled: '控制记录的内容范围。',
    context: '控制哪些内存带调用栈。',
    stacks: '控制调用栈中包含哪些帧。',
    maxEntries: '每个设备保留的事件数量；超出后覆盖最早的事件。',
    device: '指定设备。已知版本接受该参数，但仍记录所有设备。',
    clearHistory: '清除此前已记录的内容。',
    skipActions:
      '要跳过的事件类型，例如 ["free_requested"]（自 2.11 起）。缺少释放或内存段事件的历史无法还原：请勿设置。',
    compileContext: '记录每个事件所属的编译区域（自 2.8 起）。',
    annotations:
      '保留所有线程的命名范围（record_function、profiler 的 step）（自 2.8 起）。它们即横轴上的 step。',
    pinned: '同时记录主机的锁页内存（自 2.14 起）。',
    cuda: '记录设备内存；设为 False 则只记录锁页内存（自 2.14 起）。',
    level: '采集哪一级的下发。',
    events: '采集哪些事件。内存块生命周期图至少需要 alloc 和 free。',
    analysis: '采集时进行的分析。',
    format: '结果文件的格式。',
  },
  values: {
    enabled: {
      none: '不记录：停止采集',
      state: '仅记录当前占用的内存',
      all: '同时记录所有内存分配与释放的历史',
    },
    context: {
      none: '不记录',
      state: '当前占用的内存',
      alloc: '额外包括每次分配',
      all: '额外包括每次释放',
    },
    stacks: {
      python: 'Python、TorchScript 和 inductor：文件小，写出快',
      all: '额外包括 C++',
    },
    level: {
      op: '算子；新版本中写作 op',
      kernel: 'kernel；新版本中写作 kernel',
    },
    events: {
      alloc: '申请',
      free: '释放',
      access: '读写访问',
      launch: '算子与 kernel 的下发',
    },
    analysis: {
      decompose: '每个内存块的申请者：内存详情拆解图的数据来源',
    },
    format: {
      db: 'memscope_dump_TIME.db，每个设备一个文件',
      csv: '相同内容的文本形式',
    },
  },
} as const;
