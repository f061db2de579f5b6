import { type Actor, refusal, roleOf } from '../../engine/permissions.ts'
import { hasRole } from '../../model/roles.ts'

/** Who may upload and crop (decisions 1). Throws `unauthorized` for strangers, else `forbidden`. */
export function assertMayUpload(actor: Actor): void {
  if (!hasRole(roleOf(actor), 'contributor')) throw refusal(actor)
}
