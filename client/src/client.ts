import type { ModelOf, PublicModel, SiteDeclaration } from 'quire-cms/types'
import { pieceCalls } from './documents.ts'
import { isProblem } from './errors.ts'
import { pageCalls } from './pages.ts'
import { type AnswerCache, type OutgoingRequest, type RequestOptions, send, type Transport } from './request.ts'
import type { Client, Credentials } from './types/client.ts'

/** Options of a client. */
export interface ClientOptions {
  /** Where the service is, with its prefix: `https://example.org`. Empty: where the page comes from. */
  readonly url: string
  /** An API key. */
  readonly key?: string
  /** Calls carry the cookie of a session, in a page of the service's own origin. */
  readonly session?: boolean
  /** The `_id` of the caller who is expected: for anybody else, calls are `unauthorized`. */
  readonly expectCaller?: string | (() => string | undefined)
  readonly cache?: AnswerCache
  /** Called before each request; may change its headers. */
  readonly onRequest?: (request: OutgoingRequest) => unknown
  /** Called with each answer, whose body is not to be read: `({ headers }) => headers.get('quire-caller')`. */
  readonly onAnswer?: (answer: Response, request: OutgoingRequest) => unknown
  readonly fetch?: typeof globalThis.fetch
  /** Milliseconds for each call; 30,000 when left out. */
  readonly timeout?: number
  /** Of sites that have one of their own: `@apostrophecms`. */
  readonly namespace?: `@${string}`
}

/** Options by which callers with a credential see drafts; those without see what is public. */
type CredentialOptions = { readonly key: string } | { readonly session: true }

/**
 * A client of a service. `createClient<typeof site>({ url, key })` knows the types of the site; without a key or session
 * only what its types show to anonymous callers.
 */
export function createClient<Site extends SiteDeclaration = SiteDeclaration>(
  options: ClientOptions & CredentialOptions,
): Client<ModelOf<Site>>
export function createClient<Site extends SiteDeclaration = SiteDeclaration>(
  options: ClientOptions,
): Client<PublicModel<ModelOf<Site>>>
export function createClient(options: ClientOptions): unknown {
  const { url, session = false, expectCaller, namespace = '@cms', timeout = 30_000, cache } = options
  const credential = { key: options.key }
  const headers = () => {
    const expected = typeof expectCaller === 'function' ? expectCaller() : expectCaller
    return {
      ...(credential.key ? { authorization: `Bearer ${credential.key}` } : {}),
      ...(expected ? { 'quire-expect-caller': expected } : {}),
    }
  }
  return clientOf(credential, {
    base: `${url.replace(/\/$/, '')}/api/v1/`,
    namespace,
    // A page's `fetch` must be called as a function of the window.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    timeout,
    headers,
    credentials: session ? 'same-origin' : 'omit',
    defaults: {},
    cache,
    onRequest: options.onRequest,
    onAnswer: options.onAnswer,
  })
}

interface Credential {
  /** An API key or a token. */
  key: string | undefined
}

function clientOf(credential: Credential, transport: Transport): object {
  const request = (method: string, path: string, options?: RequestOptions) => send(transport, method, path, options)
  const read = async (path: string, options?: RequestOptions) => (await request('GET', path, options)).body
  const login = '@cms/login/'
  const isSession = transport.credentials === 'same-origin'
  return {
    type: (name: string) => pieceCalls(transport, name),
    pages: pageCalls(transport),
    in: (place: Transport['defaults']) => {
      return clientOf(credential, { ...transport, defaults: { ...transport.defaults, ...place } })
    },
    locales: (options?: RequestOptions) => read('@cms/i18n/locales', options),
    schema: (options?: RequestOptions) => read('@cms/schema', options),
    documents: (query?: RequestOptions['query'], options?: RequestOptions) =>
      read('@cms/documents', { ...options, query }),
    signIn: async (who: Credentials, options?: RequestOptions) => {
      const body = isSession ? { ...who, session: true } : who
      const answer = await request('POST', `${login}login`, { ...options, body })
      // `as`: what the route answers (§5.6).
      if (!isSession) credential.key = (answer.body as { readonly token: string }).token
    },
    signOut: async (options?: RequestOptions) => {
      await request('POST', `${login}logout`, { ...options, body: {} })
      credential.key = undefined
    },
    me: async (options?: RequestOptions) => {
      try {
        return await read(`${login}whoami`, options)
      } catch (error) {
        if (isProblem(error, 'notfound')) return null
        throw error
      }
    },
    request,
    transport,
  }
}
