import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { CmsError } from '../base/errors.ts'

const FRONT_END = 'AposExternalFront'

/** The refusal of a front end: its body is the bare text `forbidden`, which existing clients look for (decisions 4.6). */
export class FrontKeyRefused extends CmsError {
  constructor() {
    super('forbidden', 'forbidden')
  }
}

/** True for requests that say they come from the external front end; only those may bear its key. */
export function saysFrontEnd(headers: IncomingHttpHeaders): boolean {
  return headers['x-requested-with'] === FRONT_END
}

/** True when the front end sent the right key. Throws `FrontKeyRefused` for a wrong or missing one, or without a key. */
export function isFrontEnd(headers: IncomingHttpHeaders, key: string | undefined): boolean {
  if (!saysFrontEnd(headers)) return false
  const given = headers['apos-external-front-key']
  if (key === undefined || key === '' || typeof given !== 'string' || !isSame(given, key)) throw new FrontKeyRefused()
  return true
}

/** Compares in a time that says nothing about either text. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}
