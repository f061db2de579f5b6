import { Client } from 'pg'
import { newId } from '../../base/ids.ts'
import { endsWithin } from '../../base/patience.ts'
import { UnusableDatabase } from '../database/unusable-database.ts'
import { CHANNEL } from './postgres-fence.ts'
import { Hosts } from './postgres-hosts.ts'

/** How processes name themselves that announce what they change; notifications of triggers about them are ignored. */
export const ANNOUNCING = 'quire+'
/** How long a notification may take. */
const HEAR_MILLISECONDS = 5_000
const DEAF =
  'What is written to QUIRE_DATABASE is not heard at QUIRE_DATABASE_LISTEN. Name the same database there, at the server itself and not at a pooler; or write none.'

/** Sends a statement to the database that is to be listened to. */
export type Speak = (statement: string) => Promise<unknown>

/**
 * Makes a connection listen. Throws where it does not hear what the database announces, since it leads to another one, or
 * to a pooler; `speak` is left out where it has the address of the database itself.
 */
export async function listen(client: Client, speak: Speak | undefined): Promise<void> {
  await client.query(`listen ${CHANNEL}`)
  if (speak === undefined) return
  // Others pass over a name without anything that has changed.
  const payload = ANNOUNCING + newId()
  const { promise: heard, resolve } = Promise.withResolvers<void>()
  const hear = (notification: { readonly payload?: string | undefined }) => {
    if (notification.payload === payload) resolve()
  }
  client.on('notification', hear)
  try {
    await speak(`select pg_notify('${CHANNEL}', '${payload}')`)
    if (!(await endsWithin(HEAR_MILLISECONDS, heard))) throw new UnusableDatabase(DEAF)
  } finally {
    client.off('notification', hear)
  }
}

/** Why a database cannot be listened to at another address; null where it can. */
export async function inspectListening(url: string, listenAt: string): Promise<string | null> {
  const clients: Client[] = []
  const connect = async (address: string) => {
    const hosts = new Hosts(address)
    await hosts.find()
    const client = new Client(hosts.config)
    clients.push(client)
    client.on('error', () => {})
    await client.connect()
    return client
  }
  try {
    const speaking = await connect(url)
    await listen(await connect(listenAt), (statement) => speaking.query(statement))
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}
