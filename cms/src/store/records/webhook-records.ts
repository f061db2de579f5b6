import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { assigned, columns, inserted, replaced, sql } from '../database/sql.ts'

/** A receiver of events outside (§6.7). */
export interface Webhook {
  readonly id: string
  readonly url: string
  /** Names of events. */
  readonly events: readonly string[]
  /** Names of types; none: all. */
  readonly types: readonly string[]
  /** The key that deliveries are signed with. */
  readonly secret: string
  readonly enabled: boolean
  readonly createdAt: string
}

/** An event for one receiver, and whether it was delivered. Moments are milliseconds since 1970. */
export interface Delivery {
  readonly id: string
  readonly webhookId: string
  readonly event: string
  /** JSON, as it is sent. */
  readonly body: string
  readonly status: 'pending' | 'delivered' | 'failed'
  readonly attempts: number
  /** When it is sent, or sent again. */
  readonly due: number
  readonly createdAt: number
  /** When it was sent last. */
  readonly sentAt: number | null
  /** The status of the last answer; null for none. */
  readonly answered: number | null
  /** Why the last attempt failed; null where it did not. */
  readonly error: string | null
}

/** How an attempt ended. */
export type DeliveryOutcome = Pick<Delivery, 'status' | 'attempts' | 'due' | 'sentAt' | 'answered' | 'error'>

interface WebhookRow extends Omit<Webhook, 'events' | 'types' | 'enabled'> {
  readonly events: string
  readonly types: string
  readonly enabled: number
}

const WEBHOOK = columns<WebhookRow>('id', 'url', 'events', 'types', 'secret', 'enabled', 'createdAt')
const DELIVERY = columns<Delivery>(
  'id',
  'webhookId',
  'event',
  'body',
  'status',
  'attempts',
  'due',
  'createdAt',
  'sentAt',
  'answered',
  'error',
)

/** Webhooks and their deliveries. */
export class WebhookRecords<Connected extends Connection> extends Repository<Connected> {
  async list(): Promise<Webhook[]> {
    const rows = await this.connection.all<WebhookRow>(sql`select ${WEBHOOK} from webhooks order by created_at, id`)
    return rows.map((row) => ({
      ...row,
      events: JSON.parse(row.events),
      types: JSON.parse(row.types),
      enabled: row.enabled === 1,
    }))
  }

  /** Newest first; `before` is the id of the last one of the page before. */
  deliveries(
    webhookId: string,
    { limit, before }: { readonly limit: number; readonly before: string | null },
  ): Promise<Delivery[]> {
    const older = before === null ? sql`` : sql`and n < (select b.n from webhook_deliveries b where b.id = ${before})`
    return this.connection.all<Delivery>(
      sql`select ${DELIVERY} from webhook_deliveries where webhook_id = ${webhookId} ${older}
        order by n desc limit ${limit}`,
    )
  }

  /** The webhooks, of these, that have a delivery which is due and which no process sends. */
  async waiting(webhookIds: readonly string[], now: number): Promise<string[]> {
    const isOurs = this.dialect.oneOf(sql`webhook_id`, webhookIds, 'text')
    const rows = await this.connection.all<{ readonly id: string }>(
      sql`select distinct webhook_id id from webhook_deliveries
        where status = 'pending' and due <= ${now} and leased_until < ${now} and ${isOurs}`,
    )
    return rows.map(({ id }) => id)
  }

  async put(this: WebhookRecords<Transaction>, webhook: Webhook): Promise<void> {
    await this.connection.all(
      sql`insert into webhooks ${inserted({ ...webhook })}
        on conflict (id) do update set ${replaced('url', 'events', 'types', 'secret', 'enabled')}`,
    )
  }

  /** Removes a webhook with its deliveries. False when there is none. */
  async remove(this: WebhookRecords<Transaction>, id: string): Promise<boolean> {
    await this.connection.all(sql`delete from webhook_deliveries where webhook_id = ${id}`)
    const rows = await this.connection.all(sql`delete from webhooks where id = ${id} returning id`)
    return rows.length > 0
  }

  async addDeliveries(
    this: WebhookRecords<Transaction>,
    deliveries: readonly Omit<Delivery, keyof DeliveryOutcome>[],
  ): Promise<void> {
    if (deliveries.length === 0) return
    const types = { id: 'text', webhook_id: 'text', event: 'text', body: 'text', created_at: 'number' } as const
    const rows = deliveries.map(({ id, webhookId, event, body, createdAt }) => [id, webhookId, event, body, createdAt])
    await this.connection.all(
      sql`insert into webhook_deliveries
          (id, webhook_id, event, body, status, attempts, due, leased_until, created_at)
        select r.id, r.webhook_id, r.event, r.body, 'pending', 0, r.created_at, 0, r.created_at
        from ${this.dialect.table('r', types, rows)}`,
    )
  }

  /** Takes the oldest delivery of a webhook that is due and that no process sends, until a moment; null for none. */
  claim(this: WebhookRecords<Transaction>, webhookId: string, now: number, until: number): Promise<Delivery | null> {
    const isFree = sql`status = 'pending' and due <= ${now} and leased_until < ${now}`
    return this.firstRow<Delivery>(
      sql`update webhook_deliveries set leased_until = ${until}
        where n = (select min(n) from webhook_deliveries where webhook_id = ${webhookId} and ${isFree}) and ${isFree}
        returning ${DELIVERY}`,
    )
  }

  /** A delivery is still being sent. */
  async renew(this: WebhookRecords<Transaction>, id: string, until: number): Promise<void> {
    await this.connection.all(
      sql`update webhook_deliveries set leased_until = ${until} where id = ${id} and status = 'pending'`,
    )
  }

  /** Records how an attempt ended, and gives the delivery back, unless another process has delivered it meanwhile. */
  async finish(this: WebhookRecords<Transaction>, id: string, outcome: DeliveryOutcome): Promise<void> {
    const values = assigned({ ...outcome, leasedUntil: 0 })
    await this.connection.all(sql`update webhook_deliveries set ${values} where id = ${id} and status = 'pending'`)
  }

  /** Sends a delivery of a webhook again, as if it were new. False when there is none. */
  redeliver(this: WebhookRecords<Transaction>, webhookId: string, id: string, now: number): Promise<boolean> {
    const values = assigned({ status: 'pending', attempts: 0, due: now })
    return this.hasRows(
      sql`update webhook_deliveries set ${values} where id = ${id} and webhook_id = ${webhookId} returning id`,
    )
  }

  /** Removes those made before a moment; how many. */
  async prune(this: WebhookRecords<Transaction>, before: number): Promise<number> {
    const rows = await this.connection.all(
      sql`delete from webhook_deliveries where created_at < ${before} returning id`,
    )
    return rows.length
  }
}
