import { language } from '../text/language.svelte';
import { named } from '../text/t';
import type { Remark, WireError } from '../wire/known';

/** What the program said, in the language of the page. */
export interface Told {
  readonly text: string;
  /** The program's own words, where they are not the text: they are in English, and say more. */
  readonly detail: string | undefined;
}

/** What `stage` of a long piece of work is called. */
export const stageText = (stage: string): string =>
  toldBy('program.stages', stage.replaceAll(' ', '_'), stage).text;

/** A remark on a recording. */
export const remarkTold = ({ code, message }: Remark): Told =>
  toldBy('program.remarks', code, message);

/** Why something was refused, as a text of one or two lines. */
export function refusalText({ code, message }: WireError): string {
  const { text, detail } = toldBy('program.refusals', code, message);
  return detail === undefined ? text : `${text}\n${detail}`;
}

function toldBy(
  part: 'program.stages' | 'program.remarks' | 'program.refusals',
  code: string,
  message: string,
): Told {
  if (language() === 'en') return { text: message, detail: undefined };
  const text = named(part, code);
  return text === code ? { text: message, detail: undefined } : { text, detail: message };
}
