import type { DocId, Locale } from '../../model/terms/document.ts'
import type {
  DocumentSchedule,
  ScheduledAction,
  ScheduledCount,
  ScheduledScope,
  ScheduleFailure,
  ScheduleFailures,
  ScheduleReader,
  ScheduleWriter,
} from '../contract/store.ts'
import { type Sql, sql } from '../database/sql.ts'
import type { Connection } from '../database/statement.ts'

interface Row extends Omit<DocumentSchedule, 'failures'> {
  readonly failure: string | null
}

const COLUMNS = sql<Row>`doc_id "docId", locale, publish_at "publishAt", archive_at "archiveAt", actor, failure`

function scheduleOf({ failure, ...row }: Row): DocumentSchedule {
  return { ...row, failures: failure === null ? {} : failuresIn(failure) }
}

/** Earlier versions stored one failure, with its action. */
function failuresIn(text: string): ScheduleFailures {
  // `as`: written by `put`.
  const stored = JSON.parse(text) as ScheduleFailures | (Omit<ScheduleFailure, 'since'> & { action: ScheduledAction })
  if (!('action' in stored)) return stored
  const { action, at, message } = stored
  return { [action]: { at, since: at, message } }
}

/** Reads schedules. */
export class SqlScheduleReader implements ScheduleReader {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async of(docIds: readonly DocId[], locale: Locale): Promise<DocumentSchedule[]> {
    const isAsked = this.#connection.dialect.oneOf(sql`doc_id`, docIds, 'text')
    const rows = await this.#connection.all<Row>(
      sql`select ${COLUMNS} from schedules where locale = ${locale} and ${isAsked}`,
    )
    return rows.map(scheduleOf)
  }

  async due(now: number, limit: number, scope: ScheduledScope): Promise<DocumentSchedule[]> {
    const rows = await this.#connection.all<Row>(
      sql`select ${COLUMNS} from schedules s where (publish_at <= ${now} or archive_at <= ${now})
        and exists (select 1 from documents d where ${this.#isOf(scope)})
        order by coalesce(publish_at, archive_at), doc_id, locale limit ${limit}`,
    )
    return rows.map(scheduleOf)
  }

  outside(scope: ScheduledScope): Promise<ScheduledCount[]> {
    return this.#connection.all<ScheduledCount>(
      sql`select d.type, d.locale, cast(count(distinct d.doc_id) as integer) as documents from schedules s
        ${this.#connection.dialect.joinInOrder} documents d on d.doc_id = s.doc_id and d.locale = s.locale
        where (s.publish_at is not null or s.archive_at is not null) and not (${this.#isOf(scope)})
        group by d.type, d.locale order by d.type, d.locale`,
    )
  }

  #isOf({ types, locales }: ScheduledScope): Sql {
    const { dialect } = this.#connection
    return sql`d.doc_id = s.doc_id and d.locale = s.locale
      and ${dialect.oneOf(sql`d.type`, types, 'text')} and ${dialect.oneOf(sql`d.locale`, locales, 'text')}`
  }
}

/** Changes schedules, in one transaction. */
export class SqlScheduleWriter implements ScheduleWriter {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async put({ docId, locale, publishAt, archiveAt, actor, failures }: DocumentSchedule): Promise<void> {
    const failure = Object.keys(failures).length === 0 ? null : JSON.stringify(failures)
    if (publishAt === null && archiveAt === null && failure === null) return this.remove(docId, locale)
    await this.#connection.all(
      sql`insert into schedules (doc_id, locale, publish_at, archive_at, actor, failure)
        values (${docId}, ${locale}, ${publishAt}, ${archiveAt}, ${actor}, ${failure})
        on conflict (doc_id, locale) do update set publish_at = excluded.publish_at, archive_at = excluded.archive_at,
          actor = excluded.actor, failure = excluded.failure`,
    )
  }

  async remove(docId: DocId, locale: Locale): Promise<void> {
    await this.#connection.all(sql`delete from schedules where doc_id = ${docId} and locale = ${locale}`)
  }
}
