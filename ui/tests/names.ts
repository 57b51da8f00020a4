import { count } from '../src/base/format';
import { numberOf } from '../src/wire/demo/facts';
import { demoRecording } from '../src/wire/demo/recording';

const recording = demoRecording();

/** What the details call a block of the invented recording. */
export const blockName = (row: number): string =>
  `Block ${count(numberOf(recording, row) ?? Number.NaN)}`;
