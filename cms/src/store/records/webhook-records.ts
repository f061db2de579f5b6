import type { Delivery, DeliveryOutcome, Webhook, WebhookReader, WebhookWriter } from '../contract/store.ts'
import type { Transaction } from '../database/database.ts'
import { type Sql, sql } from '../database/sql.ts'
import type { Connection } from '../database/statement.ts'

interface WebhookRow extends Omit<Webhook, 'events' | 'types' | 'enabled'> {
  readonly events: string
  readonly types: string
  readonly enabled: number
}

const WEBHOOK: Sql<WebhookRow> = sql`id, url, events, types, secret, enabled, created_at "createdAt"`
const DELIVERY: Sql<Delivery> = sql`id, webhook_id "webhookId", event, body, status, attempts, due, created_at "createdAt",
  sent_at "sentAt", answered, error`

/** Reads webhooks and their deliveries. */
export class SqlWebhookReader implements WebhookReader {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async list(): Promise<Webhook[]> {
    const rows = await this.#connection.all<WebhookRow>(sql`select ${WEBHOOK} from webhooks order by created_at, id`)
    return rows.map((row) => ({
      ...row,
      events: JSON.parse(row.events),
      types: JSON.parse(row.types),
      enabled: row.enabled !== 0,
    }))
  }

  deliveries(
    webhookId: string,
    { limit, before }: { readonly limit: number; readonly before: string | null },
  ): Promise<Delivery[]> {
    const older = before === null ? sql`` : sql`and n < (select b.n from webhook_deliveries b where b.id = ${before})`
    return this.#connection.all<Delivery>(
      sql`select ${DELIVERY} from webhook_deliveries where webhook_id = ${webhookId} ${older}
        order by n desc limit ${limit}`,
    )
  }

  async waiting(webhookIds: readonly string[], now: number): Promise<string[]> {
    const isOurs = this.#connection.dialect.oneOf(sql`webhook_id`, webhookIds, 'text')
    const rows = await this.#connection.all<{ readonly id: string }>(
      sql`select distinct webhook_id id from webhook_deliveries
        where status = 'pending' and due <= ${now} and leased_until < ${now} and ${isOurs}`,
    )
    return rows.map(({ id }) => id)
  }
}

/** Changes webhooks and their deliveries, in one transaction. */
export class SqlWebhookWriter implements WebhookWriter {
  readonly #transaction: Transaction

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  async put({ id, url, events, types, secret, enabled, createdAt }: Webhook): Promise<void> {
    await this.#transaction.all(
      sql`insert into webhooks (id, url, events, types, secret, enabled, created_at)
        values (${id}, ${url}, ${JSON.stringify(events)}, ${JSON.stringify(types)}, ${secret}, ${enabled ? 1 : 0},
          ${createdAt})
        on conflict (id) do update set url = excluded.url, events = excluded.events, types = excluded.types,
          secret = excluded.secret, enabled = excluded.enabled`,
    )
  }

  async remove(id: string): Promise<boolean> {
    await this.#transaction.all(sql`delete from webhook_deliveries where webhook_id = ${id}`)
    const rows = await this.#transaction.all(sql`delete from webhooks where id = ${id} returning id`)
    return rows.length > 0
  }

  async addDeliveries(deliveries: readonly Omit<Delivery, keyof DeliveryOutcome>[]): Promise<void> {
    if (deliveries.length === 0) return
    const columns = { id: 'text', webhook_id: 'text', event: 'text', body: 'text', created_at: 'number' } as const
    const rows = deliveries.map(({ id, webhookId, event, body, createdAt }) => [id, webhookId, event, body, createdAt])
    await this.#transaction.all(
      sql`insert into webhook_deliveries
          (id, webhook_id, event, body, status, attempts, due, leased_until, created_at)
        select r.id, r.webhook_id, r.event, r.body, 'pending', 0, r.created_at, 0, r.created_at
        from ${this.#transaction.dialect.table('r', columns, rows)}`,
    )
  }

  async claim(webhookId: string, now: number, until: number): Promise<Delivery | null> {
    const isFree = sql`status = 'pending' and due <= ${now} and leased_until < ${now}`
    const [row] = await this.#transaction.all<Delivery>(
      sql`update webhook_deliveries set leased_until = ${until}
        where n = (select min(n) from webhook_deliveries where webhook_id = ${webhookId} and ${isFree}) and ${isFree}
        returning ${DELIVERY}`,
    )
    return row ?? null
  }

  async finish(id: string, { status, attempts, due, sentAt, answered, error }: DeliveryOutcome): Promise<void> {
    await this.#transaction.all(
      sql`update webhook_deliveries set status = ${status}, attempts = ${attempts}, due = ${due}, leased_until = 0,
        sent_at = ${sentAt}, answered = ${answered}, error = ${error} where id = ${id}`,
    )
  }

  async redeliver(webhookId: string, id: string, now: number): Promise<boolean> {
    const rows = await this.#transaction.all(
      sql`update webhook_deliveries set status = 'pending', attempts = 0, due = ${now}
        where id = ${id} and webhook_id = ${webhookId} returning id`,
    )
    return rows.length > 0
  }

  async prune(before: number): Promise<number> {
    const rows = await this.#transaction.all(
      sql`delete from webhook_deliveries where created_at < ${before} returning id`,
    )
    return rows.length
  }
}
