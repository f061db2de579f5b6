import { foldText } from '../../base/text.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import { Repository } from '../database/connection.ts'
import { type Sql, sql } from '../database/sql.ts'
import type { LocaleReader, LocaleSlug, TypeCount, TypeInLocale } from '../terms/locale-store.ts'

/** From type to type and from locale to locale along an index: it takes no longer where there are many documents. */
const TYPES = sql<TypeInLocale>`
  with recursive types(type) as (
    select min(type) from documents
    union all select (select min(d.type) from documents d where d.type > t.type) from types t where t.type is not null
  ), scopes(type, locale) as (
    select t.type, (select min(d.locale) from documents d where d.type = t.type) from types t where t.type is not null
    union all select s.type, (select min(d.locale) from documents d where d.type = s.type and d.locale > s.locale)
      from scopes s where s.locale is not null
  ) select type, locale from scopes where locale is not null order by type, locale`

/** Reads which documents are in which locale. */
export class SqlLocaleReader extends Repository implements LocaleReader {
  types(): Promise<TypeInLocale[]> {
    return this.connection.all(TYPES)
  }

  async counts(of: readonly TypeInLocale[]): Promise<TypeCount[]> {
    if (of.length === 0) return []
    const { dialect } = this
    const cells = of.map(({ type, locale }) => [type, locale])
    return this.connection.all<TypeCount>(
      sql`select d.type, d.locale, count(distinct d.doc_id) as documents
        from ${dialect.table('r', { type: 'text', locale: 'text' }, cells)}
        ${dialect.joinInOrder} documents d on d.type = r.type and d.locale = r.locale
        group by d.type, d.locale order by d.type, d.locale`,
    )
  }

  countCopies(): Promise<number> {
    return this.countOf(sql`select count(*) as count from documents`)
  }

  pagesAt(slugs: readonly LocaleSlug[]): Promise<LocaleSlug[]> {
    const { dialect } = this
    const cells = slugs.map(({ locale, slug }) => [locale, foldText(slug)])
    const pages = (condition: Sql) =>
      sql`select d.locale as locale, d.slug as slug from ${dialect.table('r', { locale: 'text', slug: 'text' }, cells)}
        ${dialect.joinInOrder} documents d on d.slug_scope = '/' and d.locale = r.locale
        and d.mode in ('draft', 'published') and d.archived = 0 and ${condition}`
    return this.connection.all<LocaleSlug>(
      sql`${pages(sql`d.slug_folded = r.slug`)} union ${pages(
        sql`d.slug_folded > r.slug || '/' and d.slug_folded < r.slug || '0'`,
      )} order by locale, slug limit 100`,
    )
  }

  countWritten(locale: Locale, madeByItself: readonly DocId[]): Promise<number> {
    const isMade = this.dialect.oneOf(sql`d.doc_id`, madeByItself, 'text')
    return this.countOf(
      sql`select count(distinct d.doc_id) as count from documents d
        where d.locale = ${locale} and not (d.revision = 1 and ${isMade})`,
    )
  }
}
