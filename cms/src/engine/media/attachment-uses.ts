import { hasRole } from '../../model/terms/roles.ts'
import type { AttachmentUse, UsedAttachment } from '../../store/contract/store.ts'
import { readAccess, roleOf, seesField, seesLocale, type Viewer } from '../permissions.ts'

/**
 * The documents that use an attachment, as far as the caller may know of them and of the field it lies in (§5.8:
 * nothing hidden leaks): anonymous callers and guests hear of what is published and theirs to read, never of drafts or
 * archived documents.
 */
export function visibleUses(viewer: Viewer, { uses }: UsedAttachment): readonly AttachmentUse[] {
  return uses.filter((use) => isVisible(viewer, use))
}

/**
 * True when the caller may take an attachment for a document of their own, or crop it: it is unused, or the
 * caller may know of a document that uses it. For all others it does not exist.
 */
export function mayTake(viewer: Viewer, used: UsedAttachment): boolean {
  return used.uses.length === 0 || used.uses.some((use) => isVisible(viewer, use))
}

function isVisible(viewer: Viewer, { id, type: typeName, archived, visibility, indexName }: AttachmentUse): boolean {
  const { site, actor } = viewer
  const type = site.types.get(typeName)
  const access = type && readAccess(actor, type)
  if (!access) return false
  const [name = '', neededRole = null] = indexName.split(':')
  const field = type.fields.byName.get(name)
  const role = roleOf(actor)
  if (!field || !seesField(actor, access, type, field)) return false
  // `as`: behind the colon stands a role, put there when the document was saved.
  if (neededRole !== null && !hasRole(role, neededRole as 'guest')) return false
  if (!hasRole(role, 'contributor') && (id.mode === 'draft' || archived)) return false
  if (access.visibility !== null && visibility !== access.visibility) return false
  return id.locale === '' || seesLocale(viewer, id.locale)
}
