import type { Client } from 'pg'
import { newId } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import { endsWithin } from '../../base/patience.ts'
import { messageOf } from '../../base/thrown.ts'
import { UnusableDatabase } from '../database/unusable-database.ts'
import { CHANNEL } from './postgres-fence.ts'
import { ANNOUNCING, LISTEN } from './postgres-notifications.ts'

/** How long a notification may take. */
const HEAR_MILLISECONDS = 5_000
const NOT_HEARD =
  'What is written to QUIRE_DATABASE is not heard at QUIRE_DATABASE_LISTEN. Name the same database there, at the server itself and not at a pooler; or write none.'

/** Sends a statement to the database that is to be listened to. */
export type SendStatement = (statement: string) => Promise<unknown>

/**
 * Makes a connection listen. Throws where it does not hear what the database announces, since it leads to another one, or
 * to a pooler; `sendToDatabase` is left out where it has the address of the database itself.
 */
export async function listen(client: Client, sendToDatabase: SendStatement | undefined): Promise<void> {
  await client.query(LISTEN)
  if (sendToDatabase === undefined) return
  // Others pass over a name without anything that has changed.
  const payload = ANNOUNCING + newId()
  const { promise: heard, resolve } = Promise.withResolvers<void>()
  const hear = (notification: { readonly payload?: string | undefined }) => {
    if (notification.payload === payload) resolve()
  }
  client.on('notification', hear)
  try {
    await sendToDatabase(`select pg_notify('${CHANNEL}', '${payload}')`)
    if (!(await endsWithin(HEAR_MILLISECONDS, heard))) throw new UnusableDatabase(NOT_HEARD)
  } finally {
    client.off('notification', hear)
  }
}

/** Logs why a process cannot listen, each reason once; while it cannot, nothing is answered from memory. */
export class FailureLog {
  readonly #log: Log
  #reason: string | null = null

  constructor(log: Log) {
    this.#log = log
  }

  log(error: unknown): void {
    const reason = messageOf(error)
    if (reason === this.#reason) return
    this.#reason = reason
    this.#log.warn({ reason }, 'Changes by other processes cannot be heard of yet; trying again.')
  }

  reset(): void {
    this.#reason = null
  }
}
