import type { Mode } from '../../model/terms/document-id.ts'
import { toDocument, toReadDocument } from '../database/rows.ts'
import { allOf, columnsOf, literal, quotedName, type Sql, sql } from '../database/sql.ts'
import type { DocumentRow } from '../database/tables.ts'
import { DOCUMENT } from '../lists/list-query.ts'
import type { StoredForm } from '../terms/stored-form.ts'
import type { FormerUrl, NodeCopy, Page, PageOutline, PagesView, ReadPage, TreePosition } from '../terms/tree-store.ts'

/** The sign after `/` in code order: the path `a/b` and all paths below it lie between `a/b` and `a/b0`. */
const AFTER_SLASH = '0'

/** The sign after `-`: slugs with a number at their end lie between `slug-` and `slug.`. */
export const AFTER_HYPHEN = '.'

/** From the home page down, each level in its order. */
export const IN_ORDER = sql`order by p.level, p.rank, p.path`

const PLACE = columnsOf<TreePosition>('p', 'parent', 'path', 'level', 'rank')

/** The columns of a position. */
export const POSITION = sql`${columnsOf<TreePosition>('p', 'docId')}, ${PLACE}`

/** A document `d` with its position `p`. */
export const PAGE = sql`${DOCUMENT}, ${PLACE}`

/** The columns of a former URL. */
export const FORMER_URL = columnsOf<FormerUrl>('f', 'docId', 'slug')

/** A document with its position. */
export type PageRow = DocumentRow & TreePosition

/** A page without its fields. */
export type OutlineRow = Omit<PageOutline, 'isArchived' | 'isOrphan'> & {
  readonly archived: number
  readonly orphan: number
}

/** The columns of a page without its fields. */
export const OUTLINE = sql`d.n as "row", ${columnsOf<OutlineRow>('d', 'bytes', 'type', 'visibility', 'archived')}, ${POSITION}, (
    select count(*) from entries e where e.document = d.n and e.name = 'orphan' and e.number = 1
  ) as orphan`

/** A copy of a page, as its neighbours see it; without a mode there is none. */
export type NodeRow = TreePosition & NodeCopy & { readonly mode: Mode | null; readonly children: number }

/** The condition that a copy `alias` is one of those that a view shows. */
export function isOfView({ archived, visibility }: PagesView, alias = 'd'): Sql {
  return allOf(
    archived !== 'any' && sql`${quotedName(`${alias}.archived`)} = ${literal(archived ? 1 : 0)}`,
    visibility !== null && sql`${quotedName(`${alias}.visibility`)} = ${visibility}`,
  )
}

/** The page at the end of a path and everything below it. Ids are equally long and of letters and digits alone. */
export function isBelow(path: string): Sql {
  return sql`p.path >= ${path} and p.path < ${path + AFTER_SLASH}`
}

/** The outline of a page. */
export function toOutline({ archived, orphan, ...outline }: OutlineRow): PageOutline {
  return { ...outline, isArchived: archived === 1, isOrphan: orphan > 0 }
}

/** The position of a page. */
export function toPosition({ docId, parent, path, level, rank }: TreePosition): TreePosition {
  return { docId, parent, path, level, rank }
}

/** A page that is read to be cached. */
export function toReadPage(row: PageRow, form: StoredForm, since: number | null): ReadPage {
  return { ...toReadDocument(row, form, since), position: toPosition(row) }
}

/** A page with its position. */
export function toPage(row: PageRow, form: StoredForm): Page {
  return { document: toDocument(row, form), position: toPosition(row) }
}
