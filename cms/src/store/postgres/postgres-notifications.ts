import { Client, type ClientConfig } from 'pg'
import { type Change, readChange, writeChange } from '../terms/changes.ts'
import { announcedVersion, CHANNEL } from './postgres-fence.ts'

const CONNECT_MILLISECONDS = 3_000
/** How long the connection may be silent before it is given up. */
const FROZEN_MILLISECONDS = 4_000
/** How long to wait for the server when the connection is closed. */
const CLOSING_MILLISECONDS = 1_000

/** How processes name themselves that announce what they change; notifications of triggers about them are ignored. */
export const ANNOUNCING = 'quire+'
/** A payload has less than 8,000 bytes. */
const MAX_BYTES = 7_900
const EVERYTHING = '*'
const REVOKED = 'credentials'

/** Announces to all processes, with the commit, that a credential was revoked. */
export const ANNOUNCE_REVOCATION = `select pg_notify('${CHANNEL}', '${REVOKED}')`

/** Makes a connection hear notifications. */
export const LISTEN = `listen ${CHANNEL}`

/** The statement by which a process announces to all others, with the commit, what it changes; null for anything. */
export function announcementOf(name: string, change: Change | null): string {
  const payload = `${name} ${writeChange(change, MAX_BYTES - name.length) ?? EVERYTHING}`
  return `select pg_notify('${CHANNEL}', '${payload.replaceAll("'", "''")}')`
}

/** A notification of another process. */
export type Notification =
  /** Perhaps of another service, whose tables are in another schema. */
  | { readonly of: 'tables' }
  | { readonly of: 'revocation' }
  /** `by`: the name of the process, where it has one; `change`: null for anything. */
  | { readonly of: 'change'; readonly by: string | null; readonly change: Change | null }

/** Reads a notification; null for one of a trigger about a process that announces its changes itself. */
function readNotification(payload: string): Notification | null {
  if (announcedVersion(payload) !== null) return { of: 'tables' }
  if (payload === REVOKED) return { of: 'revocation' }
  const [, program = '', text = ''] = /^(\S*) ?(.*)$/s.exec(payload) ?? []
  if (!program.startsWith(ANNOUNCING)) return { of: 'change', by: null, change: null }
  return text === '' ? null : { of: 'change', by: program, change: readChange(text) }
}

/** Called with each notification, and when the connection has ended. */
interface Handlers {
  heard(notification: Notification): void
  ended(): void
}

/** A connection for notifications. Throws where files that the address names cannot be read, as that of a certificate. */
export function listeningClient(config: ClientConfig, handlersOf: (client: Client) => Handlers): Client {
  const patience = { connectionTimeoutMillis: CONNECT_MILLISECONDS, query_timeout: FROZEN_MILLISECONDS }
  const client = new Client({ ...config, ...patience })
  const { heard, ended } = handlersOf(client)
  // A failure here ends the connection, which emits `end`.
  client.on('error', () => {})
  client.on('end', ended)
  client.on('notification', ({ payload }) => {
    const notification = readNotification(payload ?? '')
    if (notification !== null) heard(notification)
  })
  return client
}

/** Closes a connection. A frozen server does not answer the closing message either. */
export async function endQuickly(client: Client): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), CLOSING_MILLISECONDS)
  await client.end().catch(() => {})
  clearTimeout(timer)
}
