/** Something to copy. */
export interface GuideCode {
  readonly title: string;
  readonly lines: readonly string[];
}

/** A parameter of a call, or an option of a command. */
export interface GuideParameter {
  readonly name: string;
  /** What it is when it is left out. */
  readonly otherwise: string;
  readonly what: string;
  /** Its values and what they mean, where there are few. */
  readonly values: readonly (readonly [value: string, what: string])[];
}

/** How to record on one kind of device, or with one tool. */
export interface GuideRecipe {
  readonly lead: string;
  readonly codes: readonly GuideCode[];
  readonly parametersOf: string;
  readonly parameters: readonly GuideParameter[];
  readonly notes: readonly string[];
}

/** What `_record_memory_history` takes everywhere. */
const everywhere: readonly GuideParameter[] = [
  {
    name: 'enabled',
    otherwise: '"all"',
    what: 'What is recorded.',
    values: [
      ['None', 'nothing: recording stops'],
      ['"state"', 'only the memory that is held now'],
      ['"all"', 'also the history of all allocations and frees'],
    ],
  },
  {
    name: 'context',
    otherwise: '"all"',
    what: 'What gets a stack.',
    values: [
      ['None', 'nothing'],
      ['"state"', 'the memory that is held now'],
      ['"alloc"', 'also every allocation'],
      ['"all"', 'also every free'],
    ],
  },
  {
    name: 'stacks',
    otherwise: '"all"',
    what: 'Which frames are in a stack.',
    values: [
      ['"python"', 'Python, TorchScript and inductor: small files, quickly written'],
      ['"all"', 'also C++'],
    ],
  },
  {
    name: 'max_entries',
    otherwise: '9223372036854775807, no limit',
    what: 'How many events are kept for each device; then the oldest are overwritten.',
    values: [],
  },
];

const device: GuideParameter = {
  name: 'device',
  otherwise: 'None, the current one',
  what: 'The device meant. Known versions take it and record all devices alike.',
  values: [],
};

const clearHistory: GuideParameter = {
  name: 'clear_history',
  otherwise: 'False',
  what: 'Forget what was recorded so far.',
  values: [],
};

const skipActions: GuideParameter = {
  name: 'skip_actions',
  otherwise: 'None, keep all',
  what: 'Kinds of events to leave out, such as ["free_requested"] (from 2.11 on). A history without its frees or segments cannot be followed: leave it alone.',
  values: [],
};

const calls = (module: string, imports: readonly string[]): readonly GuideCode[] => [
  {
    title: 'Before the model is built, the work, and after it',
    lines: [
      ...imports,
      '',
      `${module}._record_memory_history(max_entries=1_000_000, stacks="python")`,
      '',
      'train()  # a few steps are enough',
      '',
      `${module}._dump_snapshot("snapshot.pickle")`,
      `${module}._record_memory_history(enabled=None)  # stop recording`,
    ],
  },
  {
    title: 'Also when memory runs out',
    lines: [
      'try:',
      '    train()',
      'except RuntimeError:  # running out of memory is one',
      `    ${module}._dump_snapshot("oom.pickle")`,
      '    raise',
    ],
  },
];

const early =
  'Call it before anything is allocated: what is older has no stack, and without the call the file holds no history at all.';
const rings =
  'A training step is thousands to tens of thousands of events. When the first steps are missing, raise max_entries; when files get too large or take minutes to write, use stacks="python": C++ stacks make them several times larger.';
const backward =
  'Memory allocated by the backward thread has no Python frames, so that its stacks are empty with stacks="python".';

const cuda: GuideRecipe = {
  lead: 'PyTorch on NVIDIA, and on AMD, where the calls are the same.',
  codes: calls('torch.cuda.memory', ['import torch']),
  parametersOf: 'torch.cuda.memory._record_memory_history',
  parameters: [
    ...everywhere,
    device,
    clearHistory,
    {
      name: 'compile_context',
      otherwise: 'False',
      what: 'Note the compiled region of each event (from 2.8 on).',
      values: [],
    },
    {
      name: 'global_record_annotations',
      otherwise: 'False',
      what: 'Keep the named ranges (record_function, profiler steps) of all threads (from 2.8 on). They are the steps on the axis.',
      values: [],
    },
    skipActions,
    {
      name: 'record_pinned_host_memory',
      otherwise: 'False',
      what: 'Also record the pinned memory of the host (from 2.14 on).',
      values: [],
    },
    {
      name: 'record_cuda',
      otherwise: 'True',
      what: 'Record the devices; False for the pinned memory alone (from 2.14 on).',
      values: [],
    },
  ],
  notes: [early, rings, backward],
};

const npu: GuideRecipe = {
  lead: 'PyTorch on Ascend, with torch_npu.',
  codes: calls('torch_npu.npu.memory', ['import torch', 'import torch_npu']),
  parametersOf: 'torch_npu.npu.memory._record_memory_history',
  parameters: [...everywhere, device],
  notes: [
    early,
    'torch.cuda.memory._record_memory_history does not switch the recording of an NPU on: use the calls of torch_npu.',
    rings,
    backward,
    'torch_npu writes no times: the axis counts events.',
  ],
};

const xpu: GuideRecipe = {
  lead: 'PyTorch 2.11 or later on Intel.',
  codes: calls('torch.xpu.memory', ['import torch']),
  parametersOf: 'torch.xpu.memory._record_memory_history',
  parameters: [...everywhere, clearHistory, skipActions],
  notes: [early, rings, backward],
};

const memscope: GuideRecipe = {
  lead: 'msMemScope records below the framework: every pool on the NPU, who owns the memory, and accesses.',
  codes: [
    {
      title: 'On the command line',
      lines: [
        'msmemscope --level=0,1 --events=alloc,free,access,launch --analysis=decompose --data-format=db python test.py',
      ],
    },
    {
      title: 'In test.py, around the work: Python call stacks for the flame graph',
      lines: [
        'import msmemscope',
        '',
        'msmemscope.tracer.start()',
        'train()',
        'msmemscope.tracer.stop()',
      ],
    },
    {
      title: 'A tag for the memory of a few lines',
      lines: [
        'import msmemscope.describe as describe',
        '',
        'with describe.describer(owner="my_cache"):',
        '    cache = build()',
      ],
    },
  ],
  parametersOf: 'msmemscope',
  parameters: [
    {
      name: '--level',
      otherwise: '0',
      what: 'Whose launches are recorded.',
      values: [
        ['0', 'operators; newer versions call it op'],
        ['1', 'kernels; newer versions call it kernel'],
      ],
    },
    {
      name: '--events',
      otherwise: 'alloc,free,launch',
      what: 'Which events are recorded. The lifecycle view needs alloc and free.',
      values: [
        ['alloc', 'allocations'],
        ['free', 'frees'],
        ['access', 'reads and writes'],
        ['launch', 'operators and kernels'],
      ],
    },
    {
      name: '--analysis',
      otherwise: 'see msmemscope --help',
      what: 'What is worked out while it records.',
      values: [['decompose', 'the owner of each block: what the decomposition is made of']],
    },
    {
      name: '--data-format',
      otherwise: 'see msmemscope --help',
      what: 'The form of the result.',
      values: [
        ['db', 'memscope_dump_TIME.db, one file a device'],
        ['csv', 'the same as text'],
      ],
    },
  ],
  notes: [
    'It costs the run more than a PyTorch snapshot does, and its files are larger.',
    'Pools are layers (HAL below PTA, ATB and others): do not add them up.',
  ],
};

/** How to record; part of `en`. */
export const guide = {
  title: 'How to record',
  link: 'How to record',
  close: 'Close',
  device: 'Recorded on',
  families: { cuda: 'CUDA, ROCm', npu: 'Ascend NPU', xpu: 'Intel XPU', memscope: 'msMemScope' },
  noHistory: 'This recording has no history. To get one:',
  copy: 'Copy',
  copied: 'Copied',
  otherwise: (value: string) => `default ${value}`,
  parameters: (call: string) => `Parameters of ${call}`,
  notes: 'Good to know',
  recipes: { cuda, npu, xpu, memscope },
} as const;

/** Whose way to record is shown. */
export type GuideFamily = keyof typeof guide.recipes;
