/** An owner whose blocks are to be shown; a new one each time somebody asks. */
export interface WantedOwner {
  /** What its blocks have in their owner's text. */
  readonly text: string;
}

/** `ops@aten` for `PTA@ops@aten`: files do not always write the pool before the owner. */
export const wantedOwner = (tag: string): WantedOwner => {
  const [pool = '', ...levels] = tag.split('@');
  return { text: levels.length === 0 ? pool : levels.join('@') };
};
