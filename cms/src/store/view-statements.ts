import type { Visibility } from '../model/document.ts'
import { isShown } from './conditions.ts'
import type { Dialect } from './dialect.ts'
import { DOCUMENT, type ListedRow, pageSql } from './query.ts'
import { sql } from './sql.ts'
import { type Fixed, fixed } from './statement.ts'
import type { View } from './store.ts'
import type { DocumentRow } from './tables.ts'

type Values = Pick<View, 'type' | 'locale' | 'mode'> & { readonly visibility: string }

/** The busiest statements on a view. Their texts are the same for all views that leave out the same. */
export interface ViewStatements {
  /** The documents with these row numbers (`rowsText`), in no particular order. */
  readonly page: Fixed<ListedRow, Values & { readonly rows: string }>
  /** Two documents with a folded slug, at most. */
  readonly bySlug: Fixed<DocumentRow, Values & { readonly slug: string }>
}

const statements = new WeakMap<Dialect, Map<string, ViewStatements>>()

/** The statements for views like this one, and the values of this one to fill in. */
export function viewStatements(view: View, dialect: Dialect): ViewStatements & { readonly values: Values } {
  const shape = `${view.archived} ${view.visibility === null}`
  const known = statements.get(dialect) ?? new Map<string, ViewStatements>()
  statements.set(dialect, known)
  const made = known.get(shape) ?? statementsFor(view, dialect)
  known.set(shape, made)
  const { type, locale, mode, visibility } = view
  return { ...made, values: { type, locale, mode, visibility: visibility ?? '' } }
}

function statementsFor({ archived, visibility }: View, dialect: Dialect): ViewStatements {
  const viewOf = ({ type, locale, mode, visibility: bound }: Values): View => {
    // `as`: where it is bound, it is one.
    return { type, locale, mode, archived, visibility: visibility === null ? null : (bound as Visibility) }
  }
  return {
    page: fixed((values) =>
      pageSql(viewOf(values), sql`select i.value as n from ${dialect.rowsIn(values.rows)}`, dialect),
    ),
    bySlug: fixed(
      (values) => sql`select ${DOCUMENT} from documents d
        where ${isShown(viewOf(values))} and d.slug_folded = ${values.slug} order by d.slug_folded, d.n limit 2`,
    ),
  }
}
