import type { QueryValues } from './query.ts'
import { type Answer, type RequestOptions, send, type Transport } from './request.ts'
import type { List, Outcome, Stored } from './types/answers.ts'

/** The number of documents that one request of `publishMany` and the like changes. */
const AT_ONCE = 50

type Options = RequestOptions | undefined
type Progress = { readonly onProgress?: (progress: { done: number; total: number }) => unknown }

/** The calls that pieces and pages have in common, below one address: `article`, `@cms/page`. */
export function documentCalls(transport: Transport, path: string) {
  const one = (id: string, rest = '') => `${path}/${encodeURIComponent(id)}${rest}`
  const read = async (address: string, query?: QueryValues, options?: Options) =>
    send(transport, 'GET', address, { ...options, query })
  const write = async (method: string, address: string, body: unknown, options: Options) =>
    stored(await send(transport, method, address, { ...options, body }))
  const patch = (id: string, body: unknown, options?: Options) => write('PATCH', one(id), body, options)
  const change = (verb: string) => (id: string, options?: Options) => write('POST', one(id, `/${verb}`), {}, options)
  const ask = async (address: string, body: unknown, options: Options) =>
    (await send(transport, 'POST', address, { ...options, body })).body
  return {
    read,
    get: async (id: string, query?: QueryValues, options?: Options) => stored(await read(one(id), query, options)),
    create: (body: unknown, options?: Options) => write('POST', path, body, { idempotencyKey: newKey(), ...options }),
    replace: (id: string, body: unknown, options?: Options) => write('PUT', one(id), body, options),
    patch,
    edit: (id: string, changes: readonly unknown[], options?: Options) => patch(id, { _patches: changes }, options),
    remove: async (id: string, options?: Options) => void (await send(transport, 'DELETE', one(id), options)),
    publish: change('publish'),
    unpublish: change('unpublish'),
    revert: change('revert-draft-to-published'),
    archive: change('archive'),
    restore: change('restore'),
    localize: (id: string, how: object, options?: Options) => write('POST', one(id, '/localize'), how, options),
    locales: async (id: string, options?: Options) => (await read(one(id, '/locales'), {}, options)).body,
    check: (id: string, options?: Options) => ask(one(id, '/publish'), { check: true }, options),
    changes: async (id: string, options?: Options) => (await read(one(id, '/changes'), {}, options)).body,
    slug: (question: object, options?: Options) => ask(`${path}/slug`, question, options),
  }
}

/** The calls for one type of pieces. */
export function pieceCalls(transport: Transport, path: string) {
  const calls = documentCalls(transport, path)
  const list = async (query?: QueryValues, options?: Options) =>
    // `as`: what the route answers (§4.1).
    (await calls.read(path, query, options)).body as List<unknown>
  const many = (verb: string) => (ids: readonly string[], options?: Options & Progress) =>
    changeMany(transport, `${path}/${verb}`, ids, {}, options)
  return {
    ...calls,
    list,
    all: (query?: QueryValues, options?: Options) => followPages(list, query, options),
    first: async (query?: QueryValues, options?: Options) =>
      (await list({ ...query, perPage: 1 }, options)).results[0] ?? null,
    publishMany: many('publish'),
    archiveMany: many('archive'),
    restoreMany: many('restore'),
    localizeMany: (ids: readonly string[], how: object, options?: Options & Progress) =>
      changeMany(transport, `${path}/localize`, ids, how, options),
  }
}

function stored({ body, etag }: Answer): Stored<unknown> {
  return { document: body, etag }
}

/** A new idempotency key. Pages without https have no `randomUUID`. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

type ListCall = (query?: QueryValues, options?: Options) => Promise<List<unknown>>

async function* followPages(list: ListCall, query?: QueryValues, options?: Options): AsyncGenerator<unknown> {
  const fetchPage = (page: number) => {
    const answer = list({ ...query, page }, options)
    // A failure is thrown once the page is needed.
    answer.catch(() => {})
    return answer
  }
  let ahead: Promise<List<unknown>> | null = fetchPage(1)
  for (let page = 1; ahead; page += 1) {
    const { results, pages }: List<unknown> = await ahead
    ahead = page < pages ? fetchPage(page + 1) : null
    yield* results
  }
}

async function changeMany(
  transport: Transport,
  address: string,
  ids: readonly string[],
  how: object,
  { onProgress, ...options }: RequestOptions & Progress = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let done = 0; done < ids.length; done += AT_ONCE) {
    const body = { ...how, _ids: ids.slice(done, done + AT_ONCE) }
    const answer = await send(transport, 'POST', address, { ...options, body })
    // `as`: what the route answers (§4.1).
    outcomes.push(...(answer.body as { readonly results: Outcome[] }).results)
    onProgress?.({ done: Math.min(done + AT_ONCE, ids.length), total: ids.length })
  }
  return outcomes
}
