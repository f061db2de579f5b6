import type { JsonObject } from '../../base/json.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import { insertedRows, Repository, type Transaction } from '../database/connection.ts'
import { columns, joined, type Sql, sql } from '../database/sql.ts'
import type { ContentPosition } from '../database/stored-content.ts'
import type { ContentWriter } from '../documents/content-writer.ts'
import { changed } from '../terms/changes.ts'
import type { NewVersion, Version, VersionWriter } from '../terms/version-store.ts'

/** How many versions of a locale are deleted at a time. */
const BATCH = 1000

const INSERT_VERSIONS = sql`insert into versions (id, doc_id, locale, mode, type, created_at, updated_at, author,
  author_id, ai, restored_from, undo, label, data, proposal, slug, content) values`

/** The contents of a version. */
interface ContentsOfVersion {
  readonly docId: DocId
  readonly content: number
  readonly earlierContent: number | null
}

const CONTENTS = columns<ContentsOfVersion>('docId', 'content', 'earlierContent')

function contentsOf(rows: readonly ContentsOfVersion[]): number[] {
  const contents = rows.flatMap(({ content, earlierContent }) => [content, earlierContent ?? []].flat())
  return [...new Set(contents)]
}

function versionCells({ version, content }: NewVersion, { n }: ContentPosition): Sql {
  const { docId, locale, mode, type, createdAt, updatedAt, author, authorId, restoredFrom, label, proposal } = version
  return sql`(${version.id}, ${docId}, ${locale}, ${mode}, ${type}, ${createdAt}, ${updatedAt}, ${author}, ${authorId},
    ${version.ai ? 1 : 0}, ${restoredFrom}, ${version.isUndo ? 1 : 0}, ${label}, ${jsonOrNull(version.data)},
    ${proposal === undefined ? null : JSON.stringify(proposal)}, ${slugOf(content)}, ${n})`
}

/** Records saves. What a version holds is the content of the document, where that has no secrets. */
export class SqlVersionWriter extends Repository<Transaction> implements VersionWriter {
  readonly #contents: ContentWriter

  constructor(transaction: Transaction, contents: ContentWriter) {
    super(transaction)
    this.#contents = contents
  }

  add(version: Version, content: JsonObject, attachments: readonly string[] = []): Promise<void> {
    return this.addMany([{ version, content, attachments }])
  }

  async addMany(versions: readonly NewVersion[]): Promise<void> {
    const contents = await this.#contents.put(
      versions.map(({ version: { docId }, content }) => ({ docId, fields: content })),
    )
    const rows = versions.flatMap((version, index) => {
      const content = contents[index]
      return content ? [{ ...version, at: content }] : []
    })
    await this.#nameAttachments(rows.flatMap(({ attachments, at }) => attachments.map((one) => [at.n, one])))
    await this.connection.send(sql`${INSERT_VERSIONS} ${joined(rows.map((row) => versionCells(row, row.at)))}`)
    this.#changed(versions.map(({ version }) => version.docId))
  }

  async update(
    { id, updatedAt, data }: Pick<Version, 'id' | 'updatedAt' | 'data'>,
    content: JsonObject,
    attachments: readonly string[] = [],
  ): Promise<void> {
    const row = await this.firstRow<ContentsOfVersion>(sql`select ${CONTENTS} from versions where id = ${id}`)
    if (row === null) throw new Error('There is no such version.')
    const [position] = await this.#contents.put([{ docId: row.docId, fields: content }])
    if (position === undefined) throw new Error('A content was not stored.')
    await this.#nameAttachments(attachments.map((attachment) => [position.n, attachment]))
    await this.#rememberEarlier(id)
    await this.connection.send(
      sql`update versions set content = ${position.n}, slug = ${slugOf(content)}, updated_at = ${updatedAt},
        data = ${jsonOrNull(data)} where id = ${id}`,
    )
    const replaced = contentsOf([row]).filter((content) => content !== position.n)
    if (replaced.length > 0) await this.#contents.dropUnused(replaced)
    this.#changed([row.docId])
  }

  /**
   * Records what a version holds before that is replaced, where another locale was saved since: it may be compared with
   * that. An earlier record stays while a locale was last saved then: for later ones it is older than it need be.
   */
  async #rememberEarlier(id: string): Promise<void> {
    const since = sql`coalesce(versions.updated_at, versions.created_at)`
    const isTranslation = sql`d.doc_id = versions.doc_id and d.locale <> versions.locale`
    await this.connection.send(
      sql`update versions set earlier_content = content, earlier_slug = slug, earlier_at = ${since} where id = ${id}
        and exists (select 1 from documents d where ${isTranslation} and d.updated_at >= ${since})
        and not exists (select 1 from documents d where ${isTranslation}
          and d.updated_at >= versions.earlier_at and d.updated_at < ${since})`,
    )
  }

  async label(id: string, label: string | null): Promise<void> {
    const rows = await this.connection.all<{ docId: string }>(
      sql`update versions set label = ${label} where id = ${id} returning ${columns('docId')}`,
    )
    this.#changed(rows.map((row) => row.docId))
  }

  async removeOf(docId: DocId, locale: Locale | null): Promise<readonly string[]> {
    const inLocale = locale === null ? sql`` : sql`and locale = ${locale}`
    const named = await this.connection.all<{ attachment: string }>(
      sql`select distinct a.attachment from contents c join version_attachments a on a.content = c.n
        where c.doc_id = ${docId}`,
    )
    await this.#remove(sql`doc_id = ${docId} ${inLocale}`)
    return named.map(({ attachment }) => attachment)
  }

  async removeLocale(locale: Locale, except: readonly DocId[]): Promise<void> {
    const isRemoved = sql`locale = ${locale} and not (${this.dialect.oneOf(sql`doc_id`, except, 'text')})`
    while ((await this.#remove(sql`id in (select id from versions where ${isRemoved} limit ${BATCH})`)) > 0);
  }

  prune(ids: readonly string[]): Promise<number> {
    const isGiven = this.dialect.oneOf(sql`id`, ids, 'text')
    return this.#remove(sql`${isGiven} and mode = 'draft' and label is null`)
  }

  pack(contents: readonly number[]): Promise<void> {
    return this.#contents.pack(contents)
  }

  #changed(docIds: readonly DocId[]): void {
    this.connection.changed({ names: docIds.map(changed.history) })
  }

  /** Deletes versions, and what nothing else has of their contents. How many they were. */
  async #remove(condition: Sql): Promise<number> {
    const rows = await this.connection.all<ContentsOfVersion>(
      sql`delete from versions where ${condition} returning ${CONTENTS}`,
    )
    if (rows.length === 0) return 0
    await this.#contents.dropUnused(contentsOf(rows))
    this.#changed([...new Set(rows.map(({ docId }) => docId))])
    return rows.length
  }

  async #nameAttachments(rows: readonly (readonly [content: number, attachment: string])[]): Promise<void> {
    if (rows.length === 0) return
    const inserted = insertedRows(this.dialect, { content: 'integer', attachment: 'text' }, rows)
    await this.connection.send(sql`insert into version_attachments ${inserted} on conflict do nothing`)
  }
}

/** The slug is stored outside of the content, as that of documents. */
function slugOf({ slug }: JsonObject): string | null {
  return typeof slug === 'string' ? slug : null
}

function jsonOrNull(data: JsonObject | null): string | null {
  return data === null ? null : JSON.stringify(data)
}
