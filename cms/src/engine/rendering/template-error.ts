import type { Log } from '../../base/log.ts'
import { OWN_FOLDER } from '../../base/own-folder.ts'
import { messageOf } from '../../base/thrown.ts'

/** A template that failed: which one, on what, and where in its file, where that is known. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  /** `widgets.quote`, `types.landing.index`. */
  readonly template: string
  /** The file of a Nunjucks template, or of the function, and the line. */
  readonly place: string | null
  /** The `_id` of the document that was rendered; null when it is not known. */
  readonly document: string | null

  constructor(template: string, document: string | null, cause: unknown) {
    const place = placeOf(cause)
    const message = messageOf(cause)
    const where = `${template}${place === null ? '' : `, ${place}`}${document === null ? '' : `, of ${document}`}`
    super(`${where}: ${message}`, { cause })
    this.template = template
    this.place = place
    this.document = document
  }
}

/** Finds the place in a function: the first line of the stack outside this package and libraries. */
function placeOf(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null
  if (cause instanceof FileError) return cause.line === null ? cause.file : `${cause.file}:${cause.line}`
  const frames = (cause.stack ?? '').split('\n').filter((frame) => /^\s+at /.test(frame))
  const own = frames.find((frame) => !/node_modules|node:/.test(frame) && !frame.includes(OWN_FOLDER))
  const [, place] = /\(?((?:file:\/\/)?\/[^()]+:\d+):\d+\)?$/.exec(own ?? '') ?? []
  // A module that was loaded again has a query behind its name.
  return place?.replace('file://', '').replace(/\?[^:]*(?=:\d+$)/, '') ?? null
}

/** An error in a template file, with the file and its line. */
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

/** Says what failed, and how, without files and ids: for those who edit the document. */
export function failureText({ template, cause }: TemplateError): string {
  return `${template}: ${messageOf(cause)}`
}

/** Logs what failed while something was rendered: with template, file, line and document where a template did. */
export function logFailure({ log }: { readonly log: Log }, error: unknown): void {
  if (error instanceof TemplateError) {
    const { template, place, document } = error
    log.error({ error: error.cause, template, place, document }, 'A template failed.')
  } else log.error({ error }, 'A page could not be rendered.')
}
