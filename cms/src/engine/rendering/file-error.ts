/** What failed in a template file, with the file and its line. */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly file: string
  readonly line: number | null

  constructor(file: string, line: number | null, cause: Error) {
    super(cause.message, { cause })
    this.file = file
    this.line = line
  }
}
