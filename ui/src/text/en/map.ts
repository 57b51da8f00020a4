/** The words of the address map; part of `en`. */
export const map = {
  title: 'Address map',
  picture: 'The address map: one lane a segment, blocks at their addresses over the axis.',
  sort: 'sort',
  orders: { address: 'address', size: 'size' },
  hint: 'Ctrl + wheel zooms the addresses · B box · Shift + drag period · R shows all',
  summary: '{{lanes}} · {{bytes}} of addresses',
  lanes_one: '{{text}} lane',
  lanes_other: '{{text}} lanes',
  inLane: 'lane {{address}}, {{size}}',
  hole: 'about {{size}} free',
  holeShown: 'as far as it is shown',
  released: 'not mapped here',
  hidden: '{{blocks}} too small to draw at this event',
  small: 'small hole',
  large: 'large hole',
  none: 'No segment was ever mapped.',
  reading: '…',
  help: {
    zoom: 'address map: zoom the addresses (or scroll beside the lanes)',
    click: 'address map: a block; free space and gaps: the segment at that event',
  },
} as const;
