import { zstdCompressSync } from 'node:zlib'
import type { JsonObject } from '../../base/json.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import { fixed, Repository, type Transaction } from '../database/connection.ts'
import { columns, columnsOf, joined, type Sql, sql } from '../database/sql.ts'
import { type ContentPosition, contentHash, IS_PAST, OUTSIDE_CONTENT } from '../database/stored-content.ts'
import type { StoredForm } from '../terms/stored-form.ts'

/** The content of a document or a version, to be stored. */
export interface NewContent {
  readonly docId: DocId
  readonly fields: JsonObject
}

/** The condition that neither a document nor a version has a row of `contents`, and none had it when a translation was saved. */
const IS_UNUSED = sql`not exists (
    select 1 from documents d where d.doc_id = contents.doc_id and d.content = contents.n)
  and not exists (select 1 from versions v where v.content = contents.n)
  and not exists (select 1 from versions v where v.earlier_content = contents.n)`

/** A content that was compressed is read as a document again. */
const UNPACK = sql`on conflict (doc_id, hash) do update set body = excluded.body, packed = null`

/** A content that is to be written. */
interface Written {
  readonly docId: DocId
  readonly hash: string
  readonly body: string
}

/** The position at which a content of a document is stored. */
interface StoredPosition extends ContentPosition {
  readonly docId: DocId
}

const INSERTED = columns<InsertedRow>('n', 'docId', 'hash')

const PUT = fixed(
  ({ docId, hash, body }: { docId: string; hash: string; body: string }): Sql<InsertedRow> =>
    sql`${insertSql([{ docId, hash, body }])} ${UNPACK} where contents.body is null returning ${INSERTED}`,
)

/** Where writers run concurrently: locks a content that is there already, so that nobody drops it meanwhile. */
const PUT_AND_LOCK = fixed(
  ({ docId, hash, body }: { docId: string; hash: string; body: string }): Sql<InsertedRow> =>
    sql`${insertSql([{ docId, hash, body }])} ${UNPACK} returning ${INSERTED}`,
)

/** Another transaction may have used the content again while this one waited for its lock. */
const PACK = fixed(
  ({ n, packed }: { n: number; packed: Uint8Array }): Sql =>
    sql`update contents set body = null, packed = ${packed} where contents.n = ${n} and ${IS_PAST}`,
)

interface InsertedRow {
  readonly n: number
  readonly docId: string
  readonly hash: string
}

/**
 * Stores contents, in one transaction. Equal contents of one document are stored once, whichever of its copies and
 * versions have them, in whatever locale.
 */
export class ContentWriter extends Repository<Transaction> {
  readonly #form: StoredForm
  /** The positions of fields that were read or written here: copies and the version of one save mostly have the same fields. */
  readonly #positions = new WeakMap<JsonObject, StoredPosition>()
  readonly #dropped = new Set<number>()

  constructor(transaction: Transaction, form: StoredForm) {
    super(transaction)
    this.#form = form
  }

  /** Records where the fields of a locked document are. */
  note(fields: JsonObject, position: StoredPosition): void {
    this.#positions.set(fields, position)
  }

  /** The position of fields that were read or written here; null for others. */
  positionOf({ docId, fields }: NewContent): ContentPosition | null {
    const position = this.#positions.get(fields)
    return position?.docId === docId && !this.#dropped.has(position.n) ? position : null
  }

  /** The positions of the contents, in their order: one statement, or two where some of them are stored already. */
  async put(contents: readonly NewContent[]): Promise<readonly ContentPosition[]> {
    const missing = contents.filter((content) => this.positionOf(content) === null)
    const written = new Map(missing.map((content) => [content.fields, this.#written(content)]))
    const distinct = [...new Map([...written.values()].map((one) => [keyOf(one), one])).values()]
    const numbers = distinct.length === 0 ? null : await this.#insert(distinct)
    for (const [fields, one] of written) {
      const n = numbers?.get(keyOf(one))
      if (n !== undefined)
        this.#positions.set(fields, { docId: one.docId, n, bytes: Buffer.byteLength(one.body), isRecorded: false })
    }
    return contents.map((content) => {
      const position = this.positionOf(content)
      if (position === null) throw new Error('A content that was written is not there.')
      return position
    })
  }

  #written({ docId, fields }: NewContent): Written {
    const content = { ...fields }
    for (const name of OUTSIDE_CONTENT) delete content[name]
    const body = JSON.stringify(this.#form.write(content))
    return { docId, hash: contentHash(body), body }
  }

  async #insert(contents: readonly Written[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#upsert(contents)
    const numbers = new Map(rows.map(({ n, docId, hash }) => [keyOf({ docId, hash }), n]))
    const stored = contents.filter((one) => !numbers.has(keyOf(one)))
    if (stored.length === 0) return numbers
    const cells = stored.map(({ docId, hash }) => [docId, hash])
    const found = await this.connection.all<InsertedRow>(
      sql`select ${columnsOf('c', 'n', 'docId', 'hash')} from ${this.dialect.table('r', { doc_id: 'text', hash: 'text' }, cells)}
        ${this.dialect.joinInOrder} contents c on c.doc_id = r.doc_id and c.hash = r.hash`,
    )
    for (const { n, docId, hash } of found) numbers.set(keyOf({ docId, hash }), n)
    return numbers
  }

  #upsert(contents: readonly Written[]): Promise<InsertedRow[]> {
    const [first, second] = contents
    const isLocked = this.dialect.hasWaited
    if (first && second === undefined) return this.connection.fixed(isLocked ? PUT_AND_LOCK : PUT, { ...first })
    const onlyPacked = isLocked ? sql`` : sql`where contents.body is null`
    return this.connection.all<InsertedRow>(sql`${insertSql(contents)} ${UNPACK} ${onlyPacked} returning ${INSERTED}`)
  }

  /**
   * Drops those of these contents that nothing uses any more. All locales of a document share them, and others may be
   * saving one of these: so unused contents are locked first, and then checked again.
   */
  async dropUnused(numbers: readonly number[]): Promise<void> {
    const unused = (some: readonly number[]) =>
      sql`${this.dialect.oneOf(sql`contents.n`, some, 'integer')} and ${IS_UNUSED}`
    const locked = this.dialect.hasWaited ? await this.#lock(unused(numbers)) : numbers
    if (locked.length === 0) return
    const dropped = await this.connection.all<{ n: number }>(
      sql`delete from contents where ${unused(locked)} returning n`,
    )
    for (const { n } of dropped) this.#dropped.add(n)
  }

  /** Compresses those of these contents that only versions use, and drops those that nothing uses. */
  async pack(numbers: readonly number[]): Promise<void> {
    await this.dropUnused(numbers)
    const isGiven = this.dialect.oneOf(sql`contents.n`, numbers, 'integer')
    const rows = await this.connection.all<{ n: number; body: string }>(
      sql`select contents.n, contents.body from contents where ${isGiven} and ${IS_PAST}
        order by contents.n ${this.dialect.forUpdate}`,
    )
    for (const { n, body } of rows) await this.connection.fixed(PACK, { n, packed: zstdCompressSync(body) })
  }

  async #lock(condition: Sql): Promise<number[]> {
    const rows = await this.connection.all<{ n: number }>(
      sql`select contents.n from contents where ${condition} order by contents.n ${this.dialect.forUpdate}`,
    )
    return rows.map(({ n }) => n)
  }
}

function insertSql(contents: readonly Written[]): Sql {
  const rows = contents.map(({ docId, hash, body }) => sql`(${docId}, ${hash}, ${body})`)
  return sql`insert into contents (doc_id, hash, body) values ${joined(rows)}`
}

function keyOf({ docId, hash }: Pick<Written, 'docId' | 'hash'>): string {
  return `${docId} ${hash}`
}
