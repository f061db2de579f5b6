/** The closed list of error names (§0.2); they never change. */
export type ErrorName =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'notfound'
  | 'conflict'
  | 'toolarge'
  | 'unsupported'
  | 'toomany'
  | 'error'
  | 'unavailable'

/** What is wrong with one field. `path` is dotted from the top field and names array items and widgets by `_id`. */
export interface Problem {
  readonly path: string
  readonly name: 'required' | 'invalid' | 'min' | 'max' | 'unique' | 'unknown'
  readonly message: string
}

/** The one error class: a failure the caller can do something about. Anything else thrown is a bug. */
export class CmsError extends Error {
  override readonly name: ErrorName
  readonly data: Readonly<Record<string, unknown>>

  constructor(name: ErrorName, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = name
    this.data = data
  }
}

/** Constructors of errors, one for each name that is thrown. */
export const invalid = (message: string, data?: Readonly<Record<string, unknown>>) =>
  new CmsError('invalid', message, data)
export const unauthorized = (message = 'Sign in or send an API key, then try again.') =>
  new CmsError('unauthorized', message)
export const forbidden = (message = 'Your role does not allow this.') => new CmsError('forbidden', message)
/** The same message for what does not exist and what the caller may not see. */
export const notFound = (
  message = 'Nothing was found at this address, or you may not see it, or it does not take this method.',
) => new CmsError('notfound', message)
export const conflict = (message: string, data?: Readonly<Record<string, unknown>>) =>
  new CmsError('conflict', message, data)
export const tooLarge = (message: string) => new CmsError('toolarge', message)
export const unsupported = (message: string) => new CmsError('unsupported', message)

/** `cause` is for logs and for the command line: callers see the message alone. */
export function unavailable(message: string, cause?: unknown): CmsError {
  const error = new CmsError('unavailable', message)
  if (cause !== undefined) error.cause = cause
  return error
}

/** For what is asked of a service that closes its database, or has closed it. */
export const stopping = (cause?: unknown) => unavailable('The service is stopping. Try again in a moment.', cause)

/** All wrong fields in one answer (§0.2). */
export function invalidFields(problems: readonly Problem[]): CmsError {
  const names = problems.map((problem) => problem.path).join(', ')
  return invalid(`Some fields need your attention: ${names}.`, { errors: problems })
}
