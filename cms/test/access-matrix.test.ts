import { beforeAll, expect, it } from 'vitest'
import type { Route } from '../src/http/requests/route.ts'
import {
  CALLERS,
  type CallerName,
  decided,
  namesLocale,
  OTHERS,
  STATES,
  type State,
  type Statuses,
  TYPES,
} from './access-decided.ts'
import { sampledDatabases } from './databases.ts'
import { jpeg, upload } from './media.ts'
import { sample } from './sample.ts'
import { type Answer, type Caller, callerOf, describeService, type Service } from './service.ts'

const FRONT_KEY = 'front-key'
const FEW_STATES = ['published', 'draft', 'otherLocale'] as const
const FAILURES: Readonly<Record<string, number>> = { invalid: 400, forbidden: 403, notfound: 404, conflict: 409 }

const CONTENT = { title: 'Title', sku: 'sku', price: 1, color: 'red' }
let count = 0
const unique = () => {
  count += 1
  return `document-${count}`
}
/** What images and files are made of. */
let attachment: object = {}
const content = () => ({ ...CONTENT, attachment, slug: unique(), username: unique() })
const typeOf = (route: Route) => route.tag
const verbOf = (route: Route) => route.operationId.slice(route.tag.length + 1)

describeService('§5 who may do what', { frontKey: FRONT_KEY, on: sampledDatabases('access-matrix') }, (service) => {
  beforeAll(async () => {
    attachment = (await upload(service, 'admin', await jpeg())).body
  })

  const routesOf = (type: string) => service.app.routes.filter((route) => typeOf(route) === type)

  it('§5.3 nothing is left undecided: every type, route and state has its row', () => {
    // Pages for browsers are no part of the interface.
    const open = service.app.routes
      .filter(({ page, tag }) => page === undefined && tag !== 'editor')
      .filter((route) =>
        TYPES[typeOf(route)]
          ? STATES.some((state) => decided(typeOf(route), verbOf(route), state) === undefined)
          : OTHERS[route.operationId] === undefined,
      )
    expect(open.map(({ operationId }) => operationId)).toEqual([])
    const types = [...service.app.site.types.values()].map(({ name, family }) => (family === 'page' ? family : name))
    expect([...new Set(types)].toSorted()).toEqual(Object.keys(TYPES).toSorted())
  })

  it.each(sample(Object.keys(TYPES), 2))('§5 %s answers every caller in every state as decided', async (type) => {
    const wrong: string[] = []
    for (const route of routesOf(type)) {
      for (const state of statesFor(route)) {
        const expected = decided(type, verbOf(route), state)
        const got = await statuses(service, route, state, expected)
        if (`${expected}` !== `${got}`) wrong.push(`${route.operationId} of ${state}: ${got}, decided ${expected}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('§5.2 what a role may not do is refused before anything is looked up, let alone written', async () => {
    await service.quiet()
    const looked: string[] = []
    for (const route of service.app.routes) {
      if (route.method === 'GET' || !TYPES[typeOf(route)]) continue
      for (const name of ['anonymous', 'frontend', 'guest'] as const) {
        const before = service.statements.length
        const status = await statusOf(route, 'published', caller(service, name), 'some-document')
        if (status !== 401 && status !== 403) looked.push(`${route.operationId} answers ${name} with ${status}`)
        if (service.statements.length > before) looked.push(`${route.operationId} looks something up for ${name}`)
      }
    }
    expect(looked).toEqual([])
  })

  it('§5.2 what needs a permission needs it without a body and with an empty one, too', async () => {
    const wrong: string[] = []
    for (const route of service.app.routes) {
      if (route.method === 'GET' || route.upload || route.page) continue
      const url = `${service.address}${route.path.replaceAll(/:\w+/g, 'a'.repeat(26))}`
      for (const headers of [{}, { authorization: 'ApiKey key-guest' }, { authorization: 'ApiKey key-contributor' }]) {
        const send = async (body: RequestInit) =>
          (await fetch(url, { method: route.method, ...body, headers: { ...headers, ...body.headers } })).status
        const json = { 'content-type': 'application/json' }
        const withBody = await send({ body: '{}', headers: json })
        const without = [await send({}), await send({ body: '', headers: json })]
        if (without.some((status) => status !== withBody)) wrong.push(`${route.operationId}: ${without}, ${withBody}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it.each(Object.entries(OTHERS))('§5.3 %s answers every caller as decided', async (operationId, expected) => {
    const route = service.app.routes.find((one) => one.operationId === operationId)
    const path = route?.path.replace(/^\/api\/v1\/?/, '') ?? ''
    const got = await Promise.all(
      CALLERS.map((name) => {
        const by = caller(service, name)
        if (route?.method === 'POST') return by.post(path)
        if (route?.method === 'PUT') return by.put(path, {})
        return route?.method === 'PATCH' ? by.patch(path, {}) : by.get(path)
      }),
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
  const id = await makeDocument(caller(service, 'admin'), type, state)
  if (!isFresh) kept.set(`${type} ${state}`, id)
  return id
}

async function makeDocument(admin: Caller, type: string, state: State): Promise<string> {
  const inMode = state === 'draft' || state === 'changed' ? 'draft' : 'published'
  if (type === '@cms/global' || type === '@cms/styles') {
    const [{ aposDocId }] = (await admin.get(type)).body.results
    return state === 'otherLocale' ? `${aposDocId}:fr:published` : `${aposDocId}:en:${inMode}`
  }
  const visibility = state === 'loginRequired' ? 'loginRequired' : 'public'
  const query = { draft: 'aposMode=draft', otherLocale: 'aposLocale=fr', privateLocale: 'aposLocale=it' }
  const { body } = await admin.post(
    pathOf(type),
    { ...content(), ...placed(type), visibility },
    state in query ? query[state as keyof typeof query] : '',
  )
  if (state === 'archived' && type !== 'page') await admin.post(`${type}/${body._id}/archive`)
  if (state === 'archived' && type === 'page') {
    await admin.patch(`${pathOf(type)}/${body._id}`, { _targetId: '_archive', _position: 'lastChild' })
  }
  if (state === 'otherLocale') return body.aposDocId
  const id = state === 'changed' ? body._id.replace(/published$/, 'draft') : body._id
  if (state === 'changed') await admin.patch(`${pathOf(type)}/${id}`, { title: 'Changed' })
  return id
}

async function statuses(
  service: Service,
  route: Route,
  state: State,
  expected: Statuses | undefined,
): Promise<number[]> {
  const answered = CALLERS.map(async (name, index) => {
    const isFresh = route.method !== 'GET' && expected?.[index] === 200
    const id = await documentIn(service, typeOf(route), state, isFresh)
    const isUndone = isFresh && verbOf(route) === 'revert-published-to-previous'
    return () => (isUndone ? undo : statusOf)(route, state, caller(service, name), id, caller(service, 'admin'))
  })
  const results: number[] = []
  for (const ask of await Promise.all(answered)) results.push(await ask())
  return results
}

/** What is undone must have been published twice. */
async function undo(route: Route, state: State, caller: Caller, id: string, admin: Caller): Promise<number> {
  await admin.patch(`${pathOf(typeOf(route))}/${id}`, { title: unique() }, 'aposMode=published')
  return statusOf(route, state, caller, id)
}

/** Other tests look into answers; here their number counts. */
function caller(service: Service, name: CallerName): Caller {
  const front = { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT_KEY }
  switch (name) {
    case 'anonymous':
      return callerOf(service.address, null, null)
    case 'wrong':
      return callerOf(service.address, 'no-such-key', null)
    case 'frontend':
      return callerOf(service.address, null, null, front)
    default:
      return callerOf(service.address, `key-${name}`, null)
  }
}

async function statusOf(route: Route, state: State, caller: Caller, id: string): Promise<number> {
  const verb = verbOf(route)
  const toLocale = id.split(':')[1] ?? (state === 'privateLocale' ? 'it' : 'en')
  const path = route.path.replace('/api/v1/', '').replace(':_id', id).replace(':toLocale', toLocale)
  const query = queryOf(typeOf(route), verb, state)
  if (verb === 'list' && typeOf(route) === 'page') return seenIn(await caller.get(path, `all=1&flat=1&${query}`), id)
  if (verb === 'list') return seenIn(await caller.get(path, `_ids[]=${id}&${query}`), id)
  if (verb.endsWith('-many')) return firstOf(await caller.post(path, { _ids: [id], toLocales: ['es'] }, query))
  if (verb === 'src' || verb === 'locale') return leads(await caller.get(path, query))
  if (route.method === 'GET') return (await caller.get(path, query)).status
  if (route.method === 'DELETE') return (await caller.delete(path, query)).status
  const body =
    verb === 'localize'
      ? { toLocale: 'es' }
      : verb === 'slug'
        ? { slug: unique(), ...placed(typeOf(route)) }
        : verb === 'move'
          ? { _ids: [id], _targetId: '_home', _position: 'lastChild' }
          : { ...content(), ...(verb === 'insert' && placed(typeOf(route))) }
  const send = { POST: caller.post, PUT: caller.put, PATCH: caller.patch }
  return (await send[route.method](path, body, query)).status
}

/** What stands in the query because no id says it. */
function queryOf(type: string, verb: string, state: State): string {
  const isOfDrafts = state === 'draft' || state === 'changed'
  if (isOfDrafts)
    return verb === 'insert' || verb === 'slug' || (verb === 'list' && type === 'page') ? 'aposMode=draft' : ''
  if (state === 'privateLocale' && namesLocale(type, verb)) return 'aposLocale=it'
  if (state === 'otherLocale' && (verb === 'insert' || verb === 'slug' || TYPES[type]?.hasNo === 'locale'))
    return 'aposLocale=fr'
  return ''
}

function pathOf(type: string): string {
  return type === 'page' ? '@cms/page' : type
}

/** Pages need a position. */
function placed(type: string): object {
  return type === 'page' ? { type: 'default-page', _targetId: '_home', _position: 'lastChild' } : {}
}

/** A list without the document is, for that document, as good as `notfound`. */
function seenIn(answer: Answer, id: string): number {
  if (answer.status !== 200) return answer.status
  const { results } = answer.body as { results: { _id: string; aposDocId: string }[] }
  return results.some(({ _id, aposDocId }) => _id === id || aposDocId === id) ? 200 : 404
}

/** Being led on is being answered. */
function leads({ status }: Answer): number {
  return status === 302 ? 200 : status
}

/** What became of the one document of many. */
function firstOf({ status, body }: Answer): number {
  if (status !== 200) return status
  const [{ ok, error }] = body.results
  return ok ? 200 : (FAILURES[error.name] ?? 500)
}
