import { literal, type Sql, sql } from '../database/sql.ts'
import type { Condition } from '../terms/document-store.ts'

type InLocale = Extract<Condition, { readonly kind: 'missingIn' | 'outdatedIn' }>

/** When the document `d` was saved in another locale: its draft, where it has one. */
export function translationOf({ locale, isOfArchived }: InLocale): Sql {
  return sql`select t.updated_at from documents t
    where t.doc_id = d.doc_id and t.locale = ${locale} and t.archived <= ${literal(isOfArchived ? 1 : 0)}
    order by t.mode limit 1`
}

/** The condition that the document `d` was published after it was last saved in another locale. */
export function isOutdated(condition: InLocale): Sql {
  const published = sql`select max(s.last_published_at) from documents s
    where s.doc_id = d.doc_id and s.locale = d.locale`
  return sql`d.locale <> ${condition.locale} and (${translationOf(condition)}) < (${published})`
}
