import { type Crop, sameCrop } from '../../model/values/crop.ts'
import { Repository, type Transaction } from '../database/connection.ts'
import { inserted, sql } from '../database/sql.ts'
import type { AddedCrop, Attachment, AttachmentWriter } from '../terms/attachment-store.ts'
import { changed } from '../terms/changes.ts'
import {
  ATTACHMENT_RETURNED,
  type AttachmentRow,
  IS_UNUSED,
  isLeftOverOf,
  isOneOf,
  toAttachment,
} from './attachment-reader.ts'

/** Changes attachments, in one transaction. */
export class SqlAttachmentWriter extends Repository<Transaction> implements AttachmentWriter {
  /** Always in the same order, which rules out deadlocks. */
  async lock(ids: readonly string[]): Promise<void> {
    if (ids.length === 0 || !this.dialect.hasWaited) return
    await this.connection.send(
      sql`select a.id from attachments a where ${isOneOf(ids, this.dialect)} order by a.id ${this.dialect.forUpdate}`,
    )
  }

  async recordLeftOver(ids: readonly string[], due: string): Promise<void> {
    for (const id of ids) {
      await this.connection.send(
        sql`insert into left_over_files (attachment, due) values (${id}, ${due})
          on conflict (attachment) do update set due = excluded.due`,
      )
    }
  }

  async forgetLeftOver(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await this.connection.send(sql`delete from left_over_files where ${isLeftOverOf(ids, this.dialect)}`)
  }

  async forgetLeftOverUntil(due: string): Promise<void> {
    await this.connection.send(sql`delete from left_over_files where due <= ${due}`)
  }

  async add(attachment: Attachment): Promise<void> {
    const { group: fileGroup, ...row } = attachment
    await this.connection.send(sql`insert into attachments ${inserted({ ...row, fileGroup })}`)
    this.connection.changed({ names: [changed.attachment(row.id)] })
    await this.forgetLeftOver([row.id])
  }

  async addCrop(id: string, crop: Crop, { at, limit }: { at: string; limit: number }): Promise<AddedCrop> {
    const row = await this.firstRow<{ crops: string }>(
      sql`select a.crops from attachments a where a.id = ${id} ${this.dialect.forUpdate}`,
    )
    if (row === null) return 'missing'
    const crops: Crop[] = JSON.parse(row.crops)
    if (crops.some((one) => sameCrop(one, crop))) return 'added'
    if (crops.length >= limit) return 'full'
    const { top, left, width, height } = crop
    const text = JSON.stringify([...crops, { top, left, width, height }])
    await this.connection.send(sql`update attachments set crops = ${text}, updated_at = ${at} where id = ${id}`)
    this.connection.changed({ names: [changed.attachment(id)] })
    return 'added'
  }

  async removeUnused(ids: readonly string[], now: string): Promise<Attachment[]> {
    if (ids.length === 0) return []
    // Only a statement that begins after the rows are locked sees who has named them meanwhile.
    await this.lock(ids)
    const rows = await this.connection.all<AttachmentRow>(
      sql`delete from attachments as a where ${isOneOf(ids, this.dialect)} and ${IS_UNUSED} returning ${ATTACHMENT_RETURNED}`,
    )
    const removed = rows.map(({ id }) => id)
    this.connection.changed({ names: removed.map(changed.attachment) })
    await this.recordLeftOver(removed, now)
    return rows.map(toAttachment)
  }
}
