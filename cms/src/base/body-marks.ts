import { invalid } from './errors.ts'
import { own } from './json.ts'

/** A mark of a body: true or false, also as a text. Throws `invalid` for anything else. */
export function isTrue(body: { readonly [name: string]: unknown }, name: string): boolean {
  const mark = own(body, name)
  if (mark === true || mark === 'true') return true
  if (mark === undefined || mark === null || mark === false || mark === 'false' || mark === '') return false
  throw invalid(`${name} is true or false.`)
}
