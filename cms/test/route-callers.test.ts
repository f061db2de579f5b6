import { beforeAll, expect, it } from 'vitest'
import { type Route, writes } from '../src/http/requests/route.ts'
import { defineSite, page, piece } from '../src/index.ts'
import { sampledDatabases } from './databases.ts'
import { cookieOf, makeUser } from './people.ts'
import { describeService } from './service.ts'
import { send } from './wire.ts'

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [piece('note', { scheduling: true, publicApiProjection: ['title'] }), page('leaf')],
})

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' }
const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  // No browser: it would say where the request comes from.
  {},
]
/** What anybody may store names nobody. */
const STORED_BY_ANYBODY = ['styles.stylesheet', 'editor.inside']
/** Reads of content, which show what is public. */
const PUBLIC_READS = ['list', 'read', 'locales', 'locale', 'src']
/** The rest of what visitors and their browsers ask for; some of it without a session is nothing, or not all said. */
const PUBLIC = [
  'attachment.put-by-link',
  'attachment.upload-by-link',
  'editor.file',
  'editor.home',
  'editor.inside',
  'editor.page',
  'login.context-get',
  'login.context-post',
  'login.login',
  'login.logout',
  'login.whoami-get',
  'login.whoami-post',
  'oembed.query',
  'service.docs',
  'service.docs-file',
  'service.health',
  'service.index',
  'service.openapi',
  'service.ready',
  'site.page',
  'styles.stylesheet',
  'styles.stylesheet-of-locale',
]

describeService('§5.4 who asks, by all routes', { site, on: sampledDatabases('route-callers') }, (service) => {
  let ann = ''
  beforeAll(async () => {
    ann = await makeUser(service.app, 'Ann', { role: 'admin' })
  })
  const signIn = () => cookieOf(service.address, 'Ann')
  const call = ({ method, path }: Route, headers: Readonly<Record<string, string>>) => {
    const body = method === 'GET' ? {} : { body: '{}' }
    const type = method === 'GET' ? {} : { 'content-type': 'application/json' }
    const named = path.replaceAll(/[:*]\w*/g, 'a'.repeat(26))
    return send(service.address, { method, path: named, headers: { ...type, ...headers }, ...body })
  }

  it('every answer names its caller, but for what anybody may store', async () => {
    const cookie = await signIn()
    const silent: string[] = []
    for (const route of service.app.routes.toSorted((a, b) => Number(endsSession(a)) - Number(endsSession(b)))) {
      const { headers } = await call(route, { cookie, ...OWN_PAGE })
      if (headers['quire-caller'] !== ann) silent.push(route.operationId)
      const isStored = headers['cache-control']?.startsWith('public') ?? false
      expect({ name: route.operationId, isStored }).toEqual({
        name: route.operationId,
        isStored: STORED_BY_ANYBODY.includes(route.operationId),
      })
    }
    expect(silent.toSorted()).toEqual(STORED_BY_ANYBODY.toSorted())
  })

  it('every route refuses a request that expects another caller, and one whose session is over', async () => {
    const cookie = await signIn()
    const over = await signIn()
    await call(routeOf('login.logout'), { cookie: over, ...OWN_PAGE })
    const answered: string[] = []
    for (const route of service.app.routes) {
      for (const headers of [
        { cookie, 'quire-expect-caller': 'bob' },
        { cookie: over, 'quire-expect-caller': ann },
        { 'quire-expect-caller': ann },
      ]) {
        const { status } = await call(route, { ...headers, ...OWN_PAGE })
        if (status !== 401) answered.push(`${route.operationId} ${route.path} ${status}`)
      }
    }
    expect(answered).toEqual([])
  })

  it('every route that writes refuses pages of other sites', async () => {
    const cookie = await signIn()
    const taken: string[] = []
    for (const route of service.app.routes.filter(writes)) {
      for (const headers of FOREIGN) {
        const { status, text } = await call(route, { cookie, ...headers })
        if (status !== 403) taken.push(`${route.operationId} ${JSON.stringify(headers)} ${status} ${text}`)
      }
    }
    expect(taken).toEqual([])
  })

  it('every route refuses anonymous callers, but for what is public', async () => {
    const open: string[] = []
    for (const route of service.app.routes.filter(({ isRefused }) => isRefused !== true)) {
      const { status } = await call(route, OWN_PAGE)
      const isPublic = PUBLIC_READS.includes(route.operationId.split('.').at(-1) ?? '')
      if (status !== 401 && status !== 403 && !isPublic) open.push(route.operationId)
    }
    expect(open.toSorted()).toEqual(PUBLIC)
  })

  const routeOf = (operationId: string): Route => {
    const found = service.app.routes.find((route) => route.operationId === operationId)
    if (found === undefined) throw new Error(`There is no route ${operationId}.`)
    return found
  }
})

/** After it nobody has signed in. */
const endsSession = ({ operationId }: Route) => operationId === 'login.logout'
