import { type CmsError, invalid } from '../base/errors.ts'

/** Why an uploaded file is not kept: `invalid`, at the part `file` (§4.3). */
export function refuseFile(message: string): CmsError {
  return invalid(message, { errors: [{ path: 'file', name: 'invalid', message }] })
}
