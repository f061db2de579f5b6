/** A receiver of events outside (§6.7). */
export interface Webhook {
  readonly id: string
  readonly url: string
  /** Names of events. */
  readonly events: readonly string[]
  /** Names of types; none: all. */
  readonly types: readonly string[]
  /** What deliveries are signed with. */
  readonly secret: string
  readonly enabled: boolean
  readonly createdAt: string
}

/** An event for one receiver, and what became of it. Moments are milliseconds since 1970. */
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

/** Reads webhooks and their deliveries. */
export interface WebhookReader {
  list(): Promise<Webhook[]>
  /** Newest first; `before` is the id of the last one of the page before. */
  deliveries(webhookId: string, page: { readonly limit: number; readonly before: string | null }): Promise<Delivery[]>
  /** The webhooks, of these, that have a delivery which is due and which no process sends. */
  waiting(webhookIds: readonly string[], now: number): Promise<string[]>
}

/** Changes webhooks and their deliveries. */
export interface WebhookWriter {
  put(webhook: Webhook): Promise<void>
  /** With its deliveries. False when there is none. */
  remove(id: string): Promise<boolean>
  addDeliveries(deliveries: readonly Omit<Delivery, keyof DeliveryOutcome>[]): Promise<void>
  /** Takes the oldest delivery of a webhook that is due and that no process sends, until a moment; null for none. */
  claim(webhookId: string, now: number, until: number): Promise<Delivery | null>
  /** Notes how an attempt ended, and gives the delivery back. */
  finish(id: string, outcome: DeliveryOutcome): Promise<void>
  /** Sends a delivery of a webhook again, as if it were new. False when there is none. */
  redeliver(webhookId: string, id: string, now: number): Promise<boolean>
  /** Removes those made before a moment; how many. */
  prune(before: number): Promise<number>
}
