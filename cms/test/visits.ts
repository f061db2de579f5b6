import type { Service } from './service.ts'

/** The key of the external front end in tests. */
export const FRONT_KEY = 'front-key-of-the-tests'

/** A page as it was answered. */
export interface Visited {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // Tests look into answers freely.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly data: any
}

/** Who visits: the external front end, a caller with the key of a role, both; a visitor when left out. */
export interface Visitor {
  readonly front?: boolean
  readonly role?: 'guest' | 'contributor' | 'editor' | 'admin'
  readonly method?: 'GET' | 'HEAD'
  readonly headers?: Readonly<Record<string, string>>
}

/** Requests a public path of a service. Redirects are not followed. */
export async function visit(
  { address }: Pick<Service, 'address'>,
  path: string,
  { front = false, role, method = 'GET', headers = {} }: Visitor = {},
): Promise<Visited> {
  const response = await fetch(address + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(front ? { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT_KEY } : {}),
      ...(role === undefined ? {} : { authorization: `ApiKey key-${role}` }),
      ...headers,
    },
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  return { status: response.status, headers: response.headers, text, data: isJson ? JSON.parse(text) : null }
}
