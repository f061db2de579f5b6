/** The closed list of error names (§0.2); they never change. */
export type ErrorName =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'notfound'
  | 'notallowed'
  | 'conflict'
  | 'toolarge'
  | 'unsupported'
  | 'toomany'
  | 'error'
  | 'unavailable'

/** A mistake in one field. `path` is dotted from the top field and names array items and widgets by `_id`. */
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

const subjects = new WeakMap<object, string>()

/**
 * Notes which document a failure is about, for the command line: callers see the message alone. Who notes it first knows
 * best. Returns the failure.
 */
export function about(failure: unknown, type: string, title: unknown): unknown {
  if (!(failure instanceof Error) || subjects.has(failure)) return failure
  subjects.set(failure, typeof title === 'string' && title !== '' ? `${type} “${title.slice(0, MOST_SHOWN)}”` : type)
  return failure
}

/** Returns which document a failure is about; null where that is not known. */
export function subjectOf(failure: unknown): string | null {
  return (failure instanceof Error && subjects.get(failure)) || null
}

/** The most characters of a title in a message. */
const MOST_SHOWN = 100

/** An error for what was sent and cannot be accepted (400, §0.2). `data` is sent to the caller. */
export const invalid = (message: string, data?: Readonly<Record<string, unknown>>) =>
  new CmsError('invalid', message, data)
/** An error for callers who must first say who they are (401). */
export const unauthorized = (message = 'Sign in or send an API key, then try again.') =>
  new CmsError('unauthorized', message)
/** An error for what the caller's role does not allow (403). */
export const forbidden = (message = 'Your role does not allow this.') => new CmsError('forbidden', message)
/** An error for what does not exist, or what the caller may not see (404): one message for both. */
export const notFound = (message = 'Nothing was found at this address, or you may not see it.') =>
  new CmsError('notfound', message)
/** An error for a method that an address does not take, with those that it takes (405). */
export const notAllowed = (allow: readonly string[]) =>
  new CmsError('notallowed', `This address does not take this method. It takes ${allow.join(', ')}.`, { allow })
/**
 * An error for what contradicts the present state: a taken slug, a stale `If-Match` (409). `data` is sent to the
 * caller.
 */
export const conflict = (message: string, data?: Readonly<Record<string, unknown>>) =>
  new CmsError('conflict', message, data)
/** An error for more bytes than are accepted (413). */
export const tooLarge = (message: string) => new CmsError('toolarge', message)
/** An error for a media type or encoding that is not accepted (415). */
export const unsupported = (message: string) => new CmsError('unsupported', message)

/**
 * An error for what cannot be done at present (503). `cause` is for logs and the command line: callers see the message
 * alone.
 */
export function unavailable(message: string, cause?: unknown): CmsError {
  const error = new CmsError('unavailable', message)
  if (cause !== undefined) error.cause = cause
  return error
}

/** Returns the error for requests to a service that is closing its database, or has closed it. */
export const stopping = (cause?: unknown) => unavailable('The service is stopping. Try again in a moment.', cause)

/**
 * Returns the error for a change whose commit was sent, but not confirmed (503). `data.mayBeStored` says that
 * repeating it may do it twice (§0.2).
 */
export function unconfirmed(cause: unknown): CmsError {
  const message = 'The change may have been stored, or not. Read the present state before you send it again.'
  const error = new CmsError('unavailable', message, { mayBeStored: true })
  error.cause = cause
  return error
}

/** True for an error of a change that may be stored nevertheless. */
export const mayBeStored = (error: unknown) => error instanceof CmsError && error.data.mayBeStored === true

/** The most fields that a message names: `data` has all of them. */
const MOST_NAMED = 20

/** An `invalid` error with all wrong fields, under `data.errors` (§0.2). */
export function invalidFields(problems: readonly Problem[]): CmsError {
  const paths = problems.map((problem) => problem.path)
  const named = paths.slice(0, MOST_NAMED).join(', ')
  const others = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ''
  return invalid(`Some fields need your attention: ${named}${others}.`, { errors: problems })
}

/** The problem of a value that is wrong in itself. */
export function invalidValue(path: string, message: string): Problem {
  return { path, name: 'invalid', message }
}

/** An `invalid` error for one wrong value. */
export function invalidField(path: string, message: string): CmsError {
  return invalidFields([invalidValue(path, message)])
}

/** The problems that an error lists; none for errors about something else. */
export function problemsIn({ data }: CmsError): readonly Problem[] {
  // `as`: `data.errors` holds problems, and nothing else (§0.2).
  return Array.isArray(data.errors) ? (data.errors as readonly Problem[]) : []
}

/** The refusal of an uploaded file: `invalid`, at the part `file` (§4.3). */
export function refuseFile(message: string): CmsError {
  return invalid(message, { errors: [{ path: 'file', name: 'invalid', message }] })
}
