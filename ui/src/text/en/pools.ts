/** The words of the pools over time; part of `en`. */
export const pools = {
  title: 'Pools',
  region: 'Pools over time',
  columns: {
    pool: 'pool',
    stream: 'stream',
    reserved: 'reserved',
    active: 'active',
    free: 'free',
    largestGap: 'largest free run',
    segments: 'segments',
    peakReserved: 'peak reserved',
  },
  curve: 'over the part shown',
  standard: 'default pool',
  curveOf:
    'Pool {{pool}}, stream {{stream}}: reserved as a line, active filled. A click puts the cursor there.',
  toPeak: 'Go to the peak',
  sort: 'Sort by {{column}}',
  none: 'No pool ever had memory.',
  reading: 'Reading…',
  asOf: 'right after event {{event}}',
  start: 'before the first event',
} as const;
