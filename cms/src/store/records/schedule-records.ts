import type { DocId, Locale } from '../../model/terms/document-id.ts'
import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { columns, inserted, replaced, type Sql, sql } from '../database/sql.ts'

/** The action of a schedule on its document. */
export type ScheduledAction = 'publish' | 'archive'

/** When a document of one locale is published and archived by itself. Moments are milliseconds since 1970. */
export interface DocumentSchedule {
  readonly docId: DocId
  readonly locale: Locale
  readonly publishAt: number | null
  readonly archiveAt: number | null
  /** The actor who set each time, as JSON. */
  readonly actor: string
  /** The actions that failed, the latest last. */
  readonly failures: ScheduleFailures
}

/** The reasons why actions could not be done, by action. */
export type ScheduleFailures = { readonly [action in ScheduledAction]?: ScheduleFailure }

/** Why an action could not be done. */
interface ScheduleFailure {
  /** The time that was set for it. */
  readonly at: number
  /** When it failed first. */
  readonly since: number
  /** The message of the last failure. */
  readonly message: string
}

/** The documents whose schedules a site carries out. */
export interface ScheduledScope {
  readonly types: readonly string[]
  readonly locales: readonly Locale[]
}

/** How many documents of a type and a locale have a time. */
export interface ScheduledCount {
  readonly type: string
  readonly locale: Locale
  readonly documents: number
}

interface Row extends Omit<DocumentSchedule, 'failures'> {
  readonly failure: string | null
}

const SCHEDULE = columns<Row>('docId', 'locale', 'publishAt', 'archiveAt', 'actor', 'failure')

type Announce = (transaction: Transaction, docId: DocId, locale: Locale) => Promise<void>

/** Schedules of documents. */
export class ScheduleRecords<Connected extends Connection> extends Repository<Connected> {
  readonly #announce: Announce

  /** `announce` announces to lists that a schedule of a document has changed. */
  constructor(connection: Connected, announce: Announce) {
    super(connection)
    this.#announce = announce
  }

  async of(docIds: readonly DocId[], locale: Locale): Promise<DocumentSchedule[]> {
    const isOfThem = this.dialect.oneOf(sql`doc_id`, docIds, 'text')
    const rows = await this.connection.all<Row>(
      sql`select ${SCHEDULE} from schedules where locale = ${locale} and ${isOfThem}`,
    )
    return rows.map(toSchedule)
  }

  /** Returns some due schedules of the scope, those due first before others; archived documents wait until they are restored. */
  async due(now: number, limit: number, scope: ScheduledScope): Promise<DocumentSchedule[]> {
    const rows = await this.connection.all<Row>(
      sql`select ${SCHEDULE} from schedules s where (publish_at <= ${now} or archive_at <= ${now})
        and exists (select 1 from documents d where ${this.#isOf(scope)} and d.archived = 0)
        order by coalesce(publish_at, archive_at), doc_id, locale limit ${limit}`,
    )
    return rows.map(toSchedule)
  }

  /** The documents of the scope with an action that has failed. */
  async failed(scope: ScheduledScope): Promise<DocId[]> {
    const rows = await this.connection.all<Pick<DocumentSchedule, 'docId'>>(
      sql`select ${columns<Pick<DocumentSchedule, 'docId'>>('docId')} from schedules s
        where failure is not null and exists (select 1 from documents d where ${this.#isOf(scope)}) order by doc_id`,
    )
    return rows.map(({ docId }) => docId)
  }

  /** Counts the documents outside of the scope that have a time to be published or archived. */
  outside(scope: ScheduledScope): Promise<ScheduledCount[]> {
    return this.connection.all<ScheduledCount>(
      sql`select d.type, d.locale, count(distinct d.doc_id) as documents from schedules s
        ${this.dialect.joinInOrder} documents d on d.doc_id = s.doc_id and d.locale = s.locale
        where (s.publish_at is not null or s.archive_at is not null) and not (${this.#isOf(scope)})
        group by d.type, d.locale order by d.type, d.locale`,
    )
  }

  /** An empty schedule is removed. Lists that are filtered or sorted by schedules hear of it. */
  async put(this: ScheduleRecords<Transaction>, { failures, ...schedule }: DocumentSchedule): Promise<void> {
    const { docId, locale, publishAt, archiveAt } = schedule
    const failure = Object.keys(failures).length === 0 ? null : failures
    if (publishAt === null && archiveAt === null && failure === null) return this.remove(docId, locale)
    await this.#announce(this.connection, docId, locale)
    await this.connection.all(
      sql`insert into schedules ${inserted({ ...schedule, failure })}
        on conflict (doc_id, locale) do update set ${replaced('publishAt', 'archiveAt', 'actor', 'failure')}`,
    )
  }

  async remove(this: ScheduleRecords<Transaction>, docId: DocId, locale: Locale): Promise<void> {
    await this.#announce(this.connection, docId, locale)
    await this.connection.all(sql`delete from schedules where doc_id = ${docId} and locale = ${locale}`)
  }

  #isOf({ types, locales }: ScheduledScope): Sql {
    return sql`d.doc_id = s.doc_id and d.locale = s.locale
      and ${this.dialect.oneOf(sql`d.type`, types, 'text')} and ${this.dialect.oneOf(sql`d.locale`, locales, 'text')}`
  }
}

function toSchedule({ failure, ...row }: Row): DocumentSchedule {
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
