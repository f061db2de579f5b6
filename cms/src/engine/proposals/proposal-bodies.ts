import { invalidFields, invalidValue, type Problem } from '../../base/errors.ts'
import { isObject, type Json, own, type UnknownObject } from '../../base/json.ts'

const MOST_TITLE = 200
const MOST_REASON = 5_000

/** A proposal as it is requested. */
export interface Wish {
  /** The document, by any of its ids. */
  readonly docId: string
  readonly title: string
  readonly reason: string
  /** As the body of a PATCH: fields, paths and operators. */
  readonly patch: UnknownObject
}

/** Reads a proposal. Throws `invalid` with all that is wrong. */
export function readWish(body: UnknownObject): Wish {
  const [docId, title, reason, patch] = ['docId', 'title', 'reason', 'patch'].map((name) => own(body, name))
  const problems = [
    ...textProblems('docId', docId, { most: MOST_TITLE, isRequired: true }),
    ...textProblems('title', title, { most: MOST_TITLE, isRequired: true }),
    ...textProblems('reason', reason ?? '', { most: MOST_REASON }),
    ...(isObject(patch) ? [] : [invalidValue('patch', 'Send the changes as the body of a PATCH: { "title": "New" }.')]),
  ]
  if (problems.length > 0 || !isObject(patch)) throw invalidFields(problems)
  return { docId: String(docId), title: String(title).trim(), reason: String(reason ?? '').trim(), patch }
}

/** The rows that somebody decides about. */
export interface Chosen {
  /** Keys of rows; null for all that are open, and for accepting: whose place is as it was. */
  readonly rows: readonly string[] | null
  /** Accepting: other values than the proposed ones, by the key of the row. */
  readonly values: ReadonlyMap<string, Json>
  /** Refusing: why. */
  readonly reason: string
}

/** Reads the rows that are decided about. Throws `invalid` with all that is wrong. */
export function readChosen(body: UnknownObject): Chosen {
  const [rows, values, reason = ''] = ['rows', 'values', 'reason'].map((name) => own(body, name))
  const isList = rows === undefined || (Array.isArray(rows) && rows.every((row) => typeof row === 'string'))
  const problems: Problem[] = [
    ...(isList ? [] : [invalidValue('rows', 'rows is a list of keys, as the rows of the proposal have them.')]),
    ...(values === undefined || isObject(values)
      ? []
      : [invalidValue('values', 'values is an object: a value for the key of a row.')]),
    ...textProblems('reason', reason, { most: MOST_REASON }),
  ]
  if (problems.length > 0) throw invalidFields(problems)
  // `as`: bodies are JSON.
  const given = Object.entries(isObject(values) ? values : {}) as [string, Json][]
  return {
    rows: Array.isArray(rows) ? [...new Set(rows)] : null,
    values: new Map(given),
    reason: String(reason).trim(),
  }
}

/** The problems of a text of a body that is no field. */
function textProblems(
  path: string,
  text: unknown,
  { most, isRequired = false }: { readonly most: number; readonly isRequired?: boolean },
): Problem[] {
  if (typeof text !== 'string') return [invalidValue(path, `${path} must be a text.`)]
  if (isRequired && text.trim() === '') return [{ path, name: 'required', message: `${path} is empty.` }]
  return text.length > most ? [{ path, name: 'max', message: `${path} has at most ${most} characters.` }] : []
}
