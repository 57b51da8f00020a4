import type { Key } from '../text/keys';

/** Something to copy. */
export interface Code {
  readonly title: Key;
  readonly lines: readonly string[];
}

/** A parameter of a call, or an option of a command. */
export interface Parameter {
  readonly name: string;
  /** What it is when it is left out: as code, in words, or both. */
  readonly otherwise: { readonly code?: string; readonly words?: Key };
  readonly what: Key;
  /** Its values and what they mean, where there are few. */
  readonly values: readonly (readonly [value: string, what: Key])[];
}

/** How to record on one kind of device, or with one tool. */
export interface Recipe {
  readonly lead: Key;
  readonly codes: readonly Code[];
  readonly parametersOf: string;
  readonly parameters: readonly Parameter[];
  readonly notes: readonly Key[];
}

/** Whose way to record is shown. */
export type Family = 'cuda' | 'npu' | 'xpu' | 'memscope';

/** What `_record_memory_history` takes everywhere. */
const everywhere: readonly Parameter[] = [
  {
    name: 'enabled',
    otherwise: { code: '"all"' },
    what: 'guide.what.enabled',
    values: [
      ['None', 'guide.values.enabled.none'],
      ['"state"', 'guide.values.enabled.state'],
      ['"all"', 'guide.values.enabled.all'],
    ],
  },
  {
    name: 'context',
    otherwise: { code: '"all"' },
    what: 'guide.what.context',
    values: [
      ['None', 'guide.values.context.none'],
      ['"state"', 'guide.values.context.state'],
      ['"alloc"', 'guide.values.context.alloc'],
      ['"all"', 'guide.values.context.all'],
    ],
  },
  {
    name: 'stacks',
    otherwise: { code: '"all"' },
    what: 'guide.what.stacks',
    values: [
      ['"python"', 'guide.values.stacks.python'],
      ['"all"', 'guide.values.stacks.all'],
    ],
  },
  {
    name: 'max_entries',
    otherwise: { code: '9223372036854775807', words: 'guide.defaults.noLimit' },
    what: 'guide.what.maxEntries',
    values: [],
  },
];

const device: Parameter = {
  name: 'device',
  otherwise: { code: 'None', words: 'guide.defaults.current' },
  what: 'guide.what.device',
  values: [],
};

const clearHistory: Parameter = {
  name: 'clear_history',
  otherwise: { code: 'False' },
  what: 'guide.what.clearHistory',
  values: [],
};

const skipActions: Parameter = {
  name: 'skip_actions',
  otherwise: { code: 'None', words: 'guide.defaults.keepAll' },
  what: 'guide.what.skipActions',
  values: [],
};

const calls = (module: string, imports: readonly string[]): readonly Code[] => [
  {
    title: 'guide.codes.around',
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
    title: 'guide.codes.oom',
    lines: [
      'try:',
      '    train()',
      'except RuntimeError:  # running out of memory is one',
      `    ${module}._dump_snapshot("oom.pickle")`,
      '    raise',
    ],
  },
];

const cuda: Recipe = {
  lead: 'guide.leads.cuda',
  codes: calls('torch.cuda.memory', ['import torch']),
  parametersOf: 'torch.cuda.memory._record_memory_history',
  parameters: [
    ...everywhere,
    device,
    clearHistory,
    {
      name: 'compile_context',
      otherwise: { code: 'False' },
      what: 'guide.what.compileContext',
      values: [],
    },
    {
      name: 'global_record_annotations',
      otherwise: { code: 'False' },
      what: 'guide.what.annotations',
      values: [],
    },
    skipActions,
    {
      name: 'record_pinned_host_memory',
      otherwise: { code: 'False' },
      what: 'guide.what.pinned',
      values: [],
    },
    { name: 'record_cuda', otherwise: { code: 'True' }, what: 'guide.what.cuda', values: [] },
  ],
  notes: ['guide.remarks.early', 'guide.remarks.rings', 'guide.remarks.backward'],
};

const npu: Recipe = {
  lead: 'guide.leads.npu',
  codes: calls('torch_npu.npu.memory', ['import torch', 'import torch_npu']),
  parametersOf: 'torch_npu.npu.memory._record_memory_history',
  parameters: [...everywhere, device],
  notes: [
    'guide.remarks.early',
    'guide.remarks.ownCalls',
    'guide.remarks.rings',
    'guide.remarks.backward',
    'guide.remarks.noTimes',
  ],
};

const xpu: Recipe = {
  lead: 'guide.leads.xpu',
  codes: calls('torch.xpu.memory', ['import torch']),
  parametersOf: 'torch.xpu.memory._record_memory_history',
  parameters: [...everywhere, clearHistory, skipActions],
  notes: ['guide.remarks.early', 'guide.remarks.rings', 'guide.remarks.backward'],
};

const memscope: Recipe = {
  lead: 'guide.leads.memscope',
  codes: [
    {
      title: 'guide.codes.command',
      lines: [
        'msmemscope --level=0,1 --events=alloc,free,access,launch --analysis=decompose --data-format=db python test.py',
      ],
    },
    {
      title: 'guide.codes.python',
      lines: [
        'import msmemscope',
        '',
        'msmemscope.tracer.start()',
        'train()',
        'msmemscope.tracer.stop()',
      ],
    },
    {
      title: 'guide.codes.tag',
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
      otherwise: { code: '0' },
      what: 'guide.what.level',
      values: [
        ['0', 'guide.values.level.op'],
        ['1', 'guide.values.level.kernel'],
      ],
    },
    {
      name: '--events',
      otherwise: { code: 'alloc,free,launch' },
      what: 'guide.what.events',
      values: [
        ['alloc', 'guide.values.events.alloc'],
        ['free', 'guide.values.events.free'],
        ['access', 'guide.values.events.access'],
        ['launch', 'guide.values.events.launch'],
      ],
    },
    {
      name: '--analysis',
      otherwise: { words: 'guide.defaults.help' },
      what: 'guide.what.analysis',
      values: [['decompose', 'guide.values.analysis.decompose']],
    },
    {
      name: '--data-format',
      otherwise: { words: 'guide.defaults.help' },
      what: 'guide.what.format',
      values: [
        ['db', 'guide.values.format.db'],
        ['csv', 'guide.values.format.csv'],
      ],
    },
  ],
  notes: ['guide.remarks.costs', 'guide.remarks.layers'],
};

/** How to record, by device or tool. */
export const RECIPES: Readonly<Record<Family, Recipe>> = { cuda, npu, xpu, memscope };
