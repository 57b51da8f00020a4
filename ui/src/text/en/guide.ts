/** How to record. What is code in it is in `parts/recipes.ts`. */
export const guide = {
  title: 'How to record',
  link: 'How to record',
  close: 'Close',
  device: 'Recorded on',
  families: { cuda: 'CUDA, ROCm', npu: 'Ascend NPU', xpu: 'Intel XPU', memscope: 'msMemScope' },
  noHistory: 'This recording has no history. To get one:',
  copy: 'Copy',
  copied: 'Copied',
  otherwise: 'default {{value}}',
  parameters: 'Parameters of {{call}}',
  notes: 'Good to know',
  leads: {
    cuda: 'PyTorch on NVIDIA, and on AMD, where the calls are the same.',
    npu: 'PyTorch on Ascend, with torch_npu.',
    xpu: 'PyTorch 2.11 or later on Intel.',
    memscope:
      'msMemScope records below the framework: every pool on the NPU, who owns the memory, and accesses.',
  },
  codes: {
    around: 'Before the model is built, the work, and after it',
    oom: 'Also when memory runs out',
    command: 'On the command line',
    python: 'In test.py, around the work: Python call stacks for the flame graph',
    tag: 'A tag for the memory of a few lines',
  },
  remarks: {
    early:
      'Call it before anything is allocated: what is older has no stack, and without the call the file holds no history at all.',
    rings:
      'A training step is thousands to tens of thousands of events. When the first steps are missing, raise max_entries; when files get too large or take minutes to write, use stacks="python": C++ stacks make them several times larger.',
    backward:
      'Memory allocated by the backward thread has no Python frames, so that its stacks are empty with stacks="python".',
    ownCalls:
      'torch.cuda.memory._record_memory_history does not switch the recording of an NPU on: use the calls of torch_npu.',
    noTimes: 'torch_npu writes no times: the axis counts events.',
    costs: 'It costs the run more than a PyTorch snapshot does, and its files are larger.',
    layers: 'Pools are layers (HAL below PTA, ATB and others): do not add them up.',
  },
  /** What a parameter is when it is left out, where a value alone does not say it. */
  defaults: {
    noLimit: 'no limit',
    current: 'the current one',
    keepAll: 'keep all',
    help: 'see msmemscope --help',
  },
  what: {
    enabled: 'What is recorded.',
    context: 'What gets a stack.',
    stacks: 'Which frames are in a stack.',
    maxEntries: 'How many events are kept for each device; then the oldest are overwritten.',
    device: 'The device meant. Known versions take it and record all devices alike.',
    clearHistory: 'Forget what was recorded so far.',
    skipActions:
      'Kinds of events to leave out, such as ["free_requested"] (from 2.11 on). A history without its frees or segments cannot be followed: leave it alone.',
    compileContext: 'Note the compiled region of each event (from 2.8 on).',
    annotations:
      'Keep the named ranges (record_function, profiler steps) of all threads (from 2.8 on). They are the steps on the axis.',
    pinned: 'Also record the pinned memory of the host (from 2.14 on).',
    cuda: 'Record the devices; False for the pinned memory alone (from 2.14 on).',
    level: 'Whose launches are recorded.',
    events: 'Which events are recorded. The lifecycle view needs alloc and free.',
    analysis: 'What is worked out while it records.',
    format: 'The form of the result.',
  },
  values: {
    enabled: {
      none: 'nothing: recording stops',
      state: 'only the memory that is held now',
      all: 'also the history of all allocations and frees',
    },
    context: {
      none: 'nothing',
      state: 'the memory that is held now',
      alloc: 'also every allocation',
      all: 'also every free',
    },
    stacks: {
      python: 'Python, TorchScript and inductor: small files, quickly written',
      all: 'also C++',
    },
    level: {
      op: 'operators; newer versions call it op',
      kernel: 'kernels; newer versions call it kernel',
    },
    events: {
      alloc: 'allocations',
      free: 'frees',
      access: 'reads and writes',
      launch: 'operators and kernels',
    },
    analysis: {
      decompose: 'the owner of each block: what the decomposition is made of',
    },
    format: {
      db: 'memscope_dump_TIME.db, one file a device',
      csv: 'the same as text',
    },
  },
} as const;
