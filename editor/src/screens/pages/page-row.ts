import type { JsonObject, Reason, TypeInfo } from 'quire-client'
import { t } from '../../words/words.ts'

/** A page as it is in lists of children (§4.2). */
export interface PageRow {
  readonly _id: string
  readonly aposDocId: string
  readonly type: string
  readonly title: string
  readonly slug: string
  /** The ids from the home page down to it. */
  readonly path: string
  readonly _childCount: number
  readonly _url?: string
  readonly state?: 'draft' | 'modified' | 'published' | 'archived'
  readonly archived?: boolean
  readonly modified?: boolean
  readonly lastPublishedAt?: string | null
  readonly rank?: number
  readonly orphan?: boolean
  /** Of pages that the site declares. */
  readonly parkedId?: string
  /** Their fields that are fixed. */
  readonly parked?: readonly string[]
  /** The caller may make pages below it. */
  readonly _create?: true
  readonly _edit?: true
  readonly _publish?: true
  readonly _delete?: true
}

/** The page in an answer. */
export function pageRow(answer: JsonObject): PageRow {
  // `as`: the shape of a thin page (reference, §4.2); what may be absent is made up for here.
  const row = answer as unknown as PageRow
  return { ...row, title: row.title || t.list.untitled, _childCount: row._childCount ?? 0 }
}

/** The parent of the home page and the archive, which are the two at the top. */
export const TOP = ''

/** The id of the page above it, as the tree is shown. */
export function parentOf({ path, parkedId }: Pick<PageRow, 'path' | 'parkedId'>): string {
  return parkedId === 'archive' ? TOP : (path.split('/').at(-2) ?? TOP)
}

/** True for the archive and everything in it. */
export function isArchived({ archived, parkedId }: PageRow): boolean {
  return archived === true || parkedId === 'archive'
}

type Action = 'move' | 'publish' | 'archive' | 'delete' | 'create' | 'duplicate'

/** Why the caller cannot do that to the page; null where they can. */
export function reasonAgainst(action: Action, page: PageRow, type: TypeInfo | undefined): string | null {
  const denied = type?.denied ?? {}
  switch (action) {
    case 'create':
      if (isArchived(page)) return t.tree.notBelowArchive
      return page._create ? null : roleReason(denied.createDraft)
    case 'publish':
      if (isArchived(page)) return t.tree.isArchived
      if (!page._publish) return roleReason(denied.publish)
      return page.lastPublishedAt && page.modified !== true ? t.tree.nothingToPublish : null
    case 'duplicate':
      return stays(page) ?? (denied.createDraft ? t.roles.reason(denied.createDraft) : null)
    case 'delete':
      return stays(page) ?? (page._childCount > 0 ? t.tree.hasChildren : againstRemoval(page, denied))
    case 'archive':
      return stays(page) ?? (denied.archive ? t.roles.reason(denied.archive) : againstMove(page, denied))
    case 'move':
      return stays(page) ?? againstMove(page, denied)
  }
}

type Denied = TypeInfo['denied']

function roleReason(reason: Reason | undefined): string {
  return t.roles.reason(reason ?? { reason: 'role' })
}

/** Pages of the site's declaration stay where they are. */
function stays({ parkedId }: PageRow): string | null {
  if (parkedId === undefined) return null
  if (parkedId === 'home') return t.tree.homeStays
  return parkedId === 'archive' ? t.tree.archiveStays : t.tree.lockedPlace
}

function againstRemoval(page: PageRow, denied: Denied): string | null {
  if (page.lastPublishedAt) return t.tree.isPublished
  return page._delete ? null : roleReason(denied.deleteDraft)
}

/** A move changes what is published, too. */
function againstMove(page: PageRow, denied: Denied): string | null {
  if (!page._edit) return roleReason(denied.editDraft)
  return page.lastPublishedAt && !page._publish ? roleReason(denied.publish) : null
}
