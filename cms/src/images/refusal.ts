import type { CmsError } from '../base/errors.ts'
import { invalidFields } from '../base/errors.ts'

/** Why an uploaded file is not kept: `invalid`, with the message at the part `file` (§4.3). */
export function refuseFile(message: string): CmsError {
  return invalidFields([{ path: 'file', name: 'invalid', message }])
}
