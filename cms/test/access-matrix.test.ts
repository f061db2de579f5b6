import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../src/http/route.ts'
import { testDatabases } from './databases.ts'
import { type Answer, type Caller, callerOf, type Service, startService } from './service.ts'

const CALLERS = ['anonymous', 'wrong', 'guest', 'contributor', 'editor', 'admin'] as const
const FRONT_KEY = 'front-key'
const FEW_STATES = ['published', 'draft'] as const
const STATES = ['published', 'loginRequired', 'archived', 'draft', 'changed'] as const

/**
 * The documents that callers meet: a public one, one for guests, an archived one, a draft that was never published, and
 * the draft of a published one. The last two are asked for by the id of their draft.
 */
type State = (typeof STATES)[number]

/** What callers are answered, in the order of `CALLERS`. */
type Statuses = readonly [number, number, number, number, number, number]
type Row = { readonly [state in State]: Statuses }

const everybody: Statuses = [200, 401, 200, 200, 200, 200]
const guests: Statuses = [404, 401, 200, 200, 200, 200]
const contributors: Statuses = [404, 401, 404, 200, 200, 200]
const editors: Statuses = [404, 401, 404, 404, 200, 200]
const nobody: Statuses = [404, 401, 404, 404, 404, 404]
const draftReaders: Statuses = [401, 401, 403, 200, 200, 200]
const draftWriters: Statuses = [401, 401, 403, 200, 200, 200]
const publishers: Statuses = [401, 401, 403, 403, 200, 200]
const admins: Statuses = [401, 401, 403, 403, 403, 200]
/** Allowed by role, but not to this document. */
const but = ([a, b, c, d, e, f]: Statuses, status: number): Statuses => {
  const instead = (one: number) => (one === 200 || one === 400 ? status : one)
  return [instead(a), instead(b), instead(c), instead(d), instead(e), instead(f)]
}

const everywhere = (statuses: Statuses): Row => ({
  published: statuses,
  loginRequired: statuses,
  archived: statuses,
  draft: statuses,
  changed: statuses,
})

/** How a type is read by strangers and guests: the lines "GET of …" of the table of decisions 1. */
const READS: Readonly<Record<string, Row>> = {
  public: { published: everybody, loginRequired: guests, archived: nobody, draft: draftReaders, changed: draftReaders },
  guest: { published: guests, loginRequired: guests, archived: nobody, draft: draftReaders, changed: draftReaders },
  closed: {
    published: contributors,
    loginRequired: contributors,
    archived: nobody,
    draft: draftReaders,
    changed: draftReaders,
  },
  restricted: { published: editors, loginRequired: editors, archived: nobody, draft: editors, changed: editors },
  // What of users is refused is refused before anybody looks: an archived one is not found, a missing one neither.
  users: { ...everywhere(admins), archived: but(admins, 404) },
  unlocalized: { published: everybody, loginRequired: guests, archived: nobody, draft: everybody, changed: everybody },
}

interface Decided {
  readonly reads: keyof typeof READS
  /** Tried in few states only. */
  readonly isLikeAnother?: true
  /** What is another than usual: `drafts`: there are none that stay unpublished; `locale`: nor locales; `placeInArchive`: what is archived is localized nowhere; `documents`, `others`: see below. */
  readonly hasNo?: 'drafts' | 'locale' | 'documents' | 'others' | 'placeInArchive'
}

/** Every type of the site. A type that is not here fails the test. */
const TYPES: Readonly<Record<string, Decided>> = {
  article: { reads: 'closed' },
  topic: { reads: 'public', isLikeAnother: true },
  product: { reads: 'public' },
  secret: { reads: 'restricted', hasNo: 'locale' },
  note: { reads: 'unlocalized', hasNo: 'locale' },
  draftless: { reads: 'public', hasNo: 'drafts' },
  guesty: { reads: 'guest' },
  // Without a file there is no image.
  '@cms/image': { reads: 'public', hasNo: 'documents', isLikeAnother: true },
  '@cms/file': { reads: 'public', hasNo: 'documents', isLikeAnother: true },
  '@cms/image-tag': { reads: 'closed', hasNo: 'drafts' },
  '@cms/file-tag': { reads: 'closed', hasNo: 'drafts', isLikeAnother: true },
  '@cms/user': { reads: 'users', hasNo: 'locale' },
  '@cms/global': { reads: 'closed', hasNo: 'others', isLikeAnother: true },
  // All page types share their routes.
  page: { reads: 'closed', hasNo: 'placeInArchive' },
}

/** What writes answer, as long as the type lets everybody write what the role allows: the other lines of the table. */
const WRITES: Readonly<Record<string, Row>> = {
  insert: { ...everywhere(publishers), draft: draftWriters, changed: draftWriters },
  replace: { ...everywhere(publishers), draft: draftWriters, changed: draftWriters },
  update: { ...everywhere(publishers), draft: draftWriters, changed: draftWriters },
  remove: { ...everywhere(publishers), draft: draftWriters, changed: but(draftWriters, 400) },
  publish: everywhere(publishers),
  unpublish: { ...everywhere(publishers), draft: but(publishers, 400) },
  archive: everywhere(publishers),
  restore: everywhere(publishers),
  'revert-draft-to-published': { ...everywhere(draftWriters), draft: but(draftWriters, 400) },
  localize: everywhere(draftWriters),
  'publish-many': everywhere(publishers),
  'archive-many': everywhere(publishers),
  'restore-many': everywhere(publishers),
  'localize-many': everywhere(draftWriters),
}

/** The answers of one route for one state, as decided; undefined: nobody has decided. */
function decided(type: string, verb: string, asked: State): Statuses | undefined {
  const { reads, hasNo } = TYPES[type] ?? {}
  if (reads === undefined) return undefined
  const state = asked === 'draft' && hasNo === 'drafts' ? 'changed' : asked
  if (verb === 'list' || verb === 'read') {
    if (hasNo === 'others' && state === 'archived') return READS[reads]?.published
    const seen = READS[reads]?.[state]
    return seen && hasNo === 'documents' ? but(seen, 404) : seen
  }
  if (hasNo === 'placeInArchive' && verb === 'localize' && state === 'archived') return but(draftWriters, 400)
  const usual = WRITES[verb]?.[state]
  return usual && unusual(type, verb, hasNo, usual)
}

function unusual(type: string, verb: string, hasNo: Decided['hasNo'], usual: Statuses): Statuses {
  const isMany = verb.endsWith('-many')
  if (hasNo === 'documents') return isMany ? usual : but(usual, verb === 'insert' ? 400 : 404)
  if (hasNo === 'locale') {
    const isOfDrafts = verb.startsWith('localize') || verb.startsWith('revert')
    const status = !isMany && (isOfDrafts || verb.endsWith('publish')) ? 400 : 200
    if (type === 'secret' || type === '@cms/user') return but(admins, status)
    return but(isOfDrafts ? draftWriters : publishers, status)
  }
  if (hasNo === 'others') {
    // It is in every locale already.
    if (verb === 'localize') return but(publishers, 409)
    const isRefused = ['insert', 'remove', 'unpublish', 'archive'].includes(verb)
    return but(publishers, isRefused ? 400 : 200)
  }
  return usual
}

/** Routes beside those of the pieces. */
const OTHERS: Readonly<Record<string, Statuses>> = {
  'service.openapi': everybody,
  'service.health': everybody,
  'service.ready': everybody,
  // Without a user name and a password.
  'login.login': but(everybody, 400),
  'login.logout': everybody,
  'login.whoami-get': guests,
  'login.whoami-post': guests,
  'login.context-get': everybody,
  'login.context-post': everybody,
}

const CONTENT = { title: 'Title', sku: 'sku', price: 1, color: 'red' }
let count = 0
const unique = () => {
  count += 1
  return `document-${count}`
}
const content = () => ({ ...CONTENT, slug: unique(), username: unique() })
const typeOf = (route: Route) => route.tag
const verbOf = (route: Route) => route.operationId.slice(route.tag.length + 1)

describe.each(testDatabases)('decisions 1: who may do what on $name', (databases) => {
  let service: Service
  beforeAll(async () => {
    service = await startService(databases, { frontKey: FRONT_KEY })
  })
  afterAll(() => service?.stop())

  const routesOf = (type: string) => service.app.routes.filter((route) => typeOf(route) === type)

  it('decisions 1: nothing is left undecided: every type, route and state has its row', () => {
    const open = service.app.routes.filter((route) =>
      TYPES[typeOf(route)]
        ? STATES.some((state) => decided(typeOf(route), verbOf(route), state) === undefined)
        : OTHERS[route.operationId] === undefined,
    )
    expect(open.map(({ operationId }) => operationId)).toEqual([])
    const types = [...service.app.site.types.values()].map(({ name, family }) => (family === 'page' ? family : name))
    expect([...new Set(types)].toSorted()).toEqual(Object.keys(TYPES).toSorted())
  })

  it.each(Object.keys(TYPES))('decisions 1: %s answers every caller in every state as decided', async (type) => {
    const wrong: string[] = []
    for (const route of routesOf(type)) {
      for (const state of statesFor(route)) {
        const expected = decided(type, verbOf(route), state)
        const got = await statuses(service, route, state, expected)
        if (`${expected}` !== `${got}`) wrong.push(`${route.operationId} of ${state}: ${got}, decided ${expected}`)
        const front = await statusForFrontEnd(service, route, state)
        if (front !== expected?.[0])
          wrong.push(`${route.operationId} of ${state}: front end ${front}, decided ${expected?.[0]}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it.each(Object.entries(OTHERS))('decisions 1: %s answers every caller as decided', async (operationId, expected) => {
    const route = service.app.routes.find((one) => one.operationId === operationId)
    const path = route?.path.replace('/api/v1/', '') ?? ''
    const got = await Promise.all(
      CALLERS.map((name) => (route?.method === 'POST' ? service[name].post(path) : service[name].get(path))),
    )
    expect(got.map(({ status }) => status)).toEqual(expected)
  })
})

/** Reads in every state; writes once for states that they do not tell apart. */
function statesFor(route: Route): readonly State[] {
  if (TYPES[typeOf(route)]?.isLikeAnother || route.operationId.endsWith('-many')) return FEW_STATES
  if (route.method === 'GET' || typeOf(route) === 'product') return STATES
  return STATES.filter((state) => state !== 'loginRequired')
}

const made = new WeakMap<Service, Map<string, string>>()

/** A document of a type in a state, by its id as this state is asked for; made anew where a write may change it. */
async function documentIn(service: Service, type: string, state: State, isFresh: boolean): Promise<string> {
  const kept = made.get(service) ?? new Map<string, string>()
  made.set(service, kept)
  const known = kept.get(`${type} ${state}`)
  if (known && !isFresh) return known
  const admin = bearer(service, 'admin')
  if (type === '@cms/image' || type === '@cms/file')
    return state === 'draft' || state === 'changed' ? 'none:en:draft' : 'none'
  if (type === '@cms/global') {
    const { body } = await admin.get(type)
    return state === 'draft' || state === 'changed' ? `${body.results[0].aposDocId}:en:draft` : body.results[0]._id
  }
  const visibility = state === 'loginRequired' ? 'loginRequired' : 'public'
  const { body } = await admin.post(
    pathOf(type),
    { ...content(), ...placed(type), visibility },
    state === 'draft' ? 'aposMode=draft' : '',
  )
  if (state === 'archived' && type !== 'page') await admin.post(`${type}/${body._id}/archive`)
  if (state === 'archived' && type === 'page') {
    await admin.patch(`${pathOf(type)}/${body._id}`, { _targetId: '_archive', _position: 'lastChild' })
  }
  const id = state === 'changed' ? body._id.replace(/published$/, 'draft') : body._id
  if (state === 'changed') await admin.patch(`${pathOf(type)}/${id}`, { title: 'Changed' })
  if (!isFresh) kept.set(`${type} ${state}`, id)
  return id
}

async function statuses(
  service: Service,
  route: Route,
  state: State,
  expected: Statuses | undefined,
): Promise<number[]> {
  return Promise.all(
    CALLERS.map(async (name, place) => {
      const isRefused = expected?.[place] === 401 || expected?.[place] === 403
      const id = await documentIn(service, typeOf(route), state, route.method !== 'GET' && !isRefused)
      return statusOf(route, state, bearer(service, name), id)
    }),
  )
}

/** The front end's key opens what is made for it, and nothing else: here its bearer is a stranger. */
async function statusForFrontEnd(service: Service, route: Route, state: State): Promise<number> {
  const headers = { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT_KEY }
  const id = await documentIn(service, typeOf(route), state, false)
  return statusOf(route, state, callerOf(service.address, null, null, headers), id)
}

/** Other tests look into answers; here their number counts. */
function bearer(service: Service, name: (typeof CALLERS)[number]): Caller {
  const key = { anonymous: null, wrong: 'no-such-key' }[name as string]
  return callerOf(service.address, key === undefined ? `key-${name}` : key, null)
}

async function statusOf(route: Route, state: State, caller: Caller, id: string): Promise<number> {
  const verb = verbOf(route)
  const path = route.path.replace('/api/v1/', '').replace(':_id', id)
  if (verb === 'list' && typeOf(route) === 'page') return seenIn(await caller.get(path, inTree(state)), id)
  if (verb === 'list') return seenIn(await caller.get(path, `_ids[]=${id}`), id)
  if (verb.endsWith('-many')) {
    const body = { _ids: [id], toLocales: ['fr'] }
    return (await caller.post(path, body)).status
  }
  const inMode = verb === 'insert' && (state === 'draft' || state === 'changed') ? 'aposMode=draft' : ''
  const body =
    verb === 'localize' ? { toLocale: 'fr' } : { ...content(), ...(verb === 'insert' && placed(typeOf(route))) }
  const send = { GET: caller.get, POST: caller.post, PUT: caller.put, PATCH: caller.patch, DELETE: caller.delete }
  if (route.method === 'GET') return (await send.GET(path)).status
  if (route.method === 'DELETE') return (await send.DELETE(path)).status
  return (await send[route.method](path, body, inMode)).status
}

function pathOf(type: string): string {
  return type === 'page' ? '@cms/page' : type
}

/** Pages need a place. */
function placed(type: string): object {
  return type === 'page' ? { type: 'default-page', _targetId: '_home', _position: 'lastChild' } : {}
}

function inTree(state: State): string {
  return `all=1&flat=1${state === 'draft' || state === 'changed' ? '&aposMode=draft' : ''}`
}

/** A list without the document is, for that document, as good as `notfound`. */
function seenIn(answer: Answer, id: string): number {
  if (answer.status !== 200) return answer.status
  return answer.body.results.some((one: { _id: string }) => one._id === id) ? 200 : 404
}
