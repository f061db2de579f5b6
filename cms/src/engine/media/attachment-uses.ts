import type { AttachmentUse, UsedAttachment } from '../../store/contract/store.ts'
import { seesLocale, type Viewer } from '../permissions.ts'
import { viewsOf } from '../view.ts'

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

function isVisible(viewer: Viewer, { id, type, archived, visibility, indexName }: AttachmentUse): boolean {
  const views = viewsOf(viewer)
  const view = views.of(type)
  const [name = '', neededRole = null] = indexName.split(':')
  if (!view?.includes(visibility) || view.field(name) === null) return false
  // `as`: behind the colon stands a role, put there when the document was saved.
  if (!views.isFor(neededRole as 'guest' | null)) return false
  if (!view.rights.has('readDraft') && (id.mode === 'draft' || archived)) return false
  return id.locale === '' || seesLocale(viewer, id.locale)
}
