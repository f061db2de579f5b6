import { type Actor, refusal, roleOf } from '../../engine/permissions.ts'
import { hasRole } from '../../model/terms/roles.ts'

/**
 * Asserts that the caller may upload and crop (§5.3). Throws `unauthorized` for anonymous callers, else `forbidden`.
 */
export function assertMayUpload(actor: Actor): void {
  if (!hasRole(roleOf(actor), 'contributor')) throw refusal(actor)
}
