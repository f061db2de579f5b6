import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { CacheMemory } from '../src/base/bounded-cache.ts'
import { unauthorized } from '../src/base/errors.ts'
import type { Log } from '../src/base/log.ts'
import type { Context } from '../src/engine/context.ts'
import { newCaching } from '../src/engine/contexts.ts'
import type { Actor } from '../src/engine/permissions.ts'
import { FolderFiles } from '../src/files/folder.ts'
import { createServer, type ServerOptions } from '../src/http/pipeline/server.ts'
import type { Route } from '../src/http/requests/route.ts'
import type { LocaleOptions } from '../src/model/declared/types.ts'
import { ROLES } from '../src/model/terms/roles.ts'
import { Changes } from '../src/store/contract/store.ts'

/** A route for tests: what is not given is filled in. */
export function testRoute(given: Pick<Route, 'path' | 'handle'> & Partial<Route>): Route {
  const operationId = `${given.method ?? 'GET'} ${given.path}`
  return { method: 'GET', summary: 'A route', tag: 'test', operationId, answer: {}, ...given }
}

export function testLocale(name: string, given: Partial<LocaleOptions> = {}): LocaleOptions {
  return {
    name,
    label: name,
    prefix: '',
    hostname: null,
    private: false,
    direction: 'ltr',
    language: '',
    fallbacks: [],
    ...given,
  }
}

/** A store that knows what was changed; nothing, while that is unknown. */
export function storeOf(changes: () => Changes | null): ServerOptions['store'] {
  const revision = () => changes()?.now.toString() ?? null
  return { changes, revision, isCaughtUp: () => true, catchUp: async () => {}, secret: async () => Buffer.alloc(32) }
}

type PartialOptions = Partial<Omit<ServerOptions, 'site'>> & { readonly site?: Partial<ServerOptions['site']> }

/**
 * A server on a free port of this machine, closed after the test. Keys are names of roles. Routes get what the server
 * itself gives to a context: actor, locale, mode, asked.
 */
export async function testServer(routes: readonly Route[], given: PartialOptions = {}) {
  const lines: object[] = []
  const changes = new Changes()
  const note = (data: object, message: string) => void lines.push({ ...data, message })
  const log: Log = { info: note, warn: note, error: note }
  const server = createServer({
    routes,
    store: storeOf(() => changes),
    memory: new CacheMemory(10_000_000),
    authenticate: async ({ secret }) => actorOf(secret),
    // The routes of these tests read nothing else from their context.
    context: (actor, wanted) =>
      ({
        actor,
        caching: newCaching(),
        site: { strict: false },
        templates: { isDevelopment: false },
        ...wanted,
      }) as Context,
    log,
    files: new FolderFiles(join(tmpdir(), 'quire-no-uploads'), '/uploads', log),
    ...given,
    site: {
      name: 'Test',
      baseUrl: null,
      purge: null,
      prefix: '',
      redirectByLanguage: false,
      locales: new Map([
        ['en', testLocale('en')],
        ['fr', testLocale('fr', { prefix: '/fr' })],
        ['de', testLocale('de', { prefix: '/de', private: true })],
      ]),
      defaultLocale: 'en',
      limits: {
        bodyBytes: 100_000,
        uploadBytes: 300_000,
        perPage: 500,
        ids: 500,
        depth: 20,
        crops: 100,
        imageMemory: 600_000_000,
      },
      anonymousBodyLimit: 100_000,
      cors: true,
      trustProxy: false,
      ...given.site,
    },
  })
  const address = await server.listen(0, '127.0.0.1')
  onTestFinished(() => server.close())
  return { server, address, lines, call: (path: string, init?: RequestInit) => fetch(address + path, init) }
}

function actorOf(secret: string): Actor {
  const role = ROLES.find((role) => role === secret)
  if (role === undefined) throw unauthorized('This key is not known.')
  const person = { name: role, username: null, firstName: '', lastName: '' }
  return { kind: 'key', id: role, role, ...person, ai: false, draftsOnly: false }
}

/** POSTs a JSON value. */
export function json(value: unknown, method = 'POST'): RequestInit {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

/** Sends bytes as they are on a socket, and answers what came back until the other side closed. */
export async function raw(address: string, ...parts: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  let text = ''
  socket.setEncoding('utf8').on('data', (data) => {
    text += data
  })
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return text
}
