import { type CmsError, invalid } from '../base/errors.ts'

/** The refusal of an uploaded file: `invalid`, at the part `file` (§4.3). */
export function refuseFile(message: string): CmsError {
  return invalid(message, { errors: [{ path: 'file', name: 'invalid', message }] })
}
