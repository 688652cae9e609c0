// Where the files of a run come from.

export interface RunSource {
  readonly name: string;
  /** True if files may still grow. */
  readonly growing: boolean;
  /** Bytes from `first` up to `last`, the latter not included; fewer at the end of the file. Without
   *  both, the whole file. Throws MissingFile. */
  read(file: string, first?: number, last?: number): Promise<ArrayBuffer>;
}

export class MissingFile extends Error {
  constructor(readonly file: string, run: string) {
    super(`"${file}" is missing in ${run}`);
  }
}
