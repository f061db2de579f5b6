import type { JsonObject } from 'quire-client'

/** A document as it is at the service. */
export interface Stored {
  readonly document: JsonObject
  readonly etag: string
}

/** Where the changes of one document go. Everything rejects with a failure, as the client does. */
export interface Target {
  save(body: JsonObject, options: { readonly ifMatch: string; readonly keepalive: boolean }): Promise<Stored>
  /** Makes the document. The same key and body a second time answer with the document of the first (§0.9). */
  create(body: JsonObject, options: { readonly idempotencyKey: string; readonly keepalive: boolean }): Promise<Stored>
  read(): Promise<Stored>
}

/** The part of the client that a target needs. */
export interface Requests {
  request(
    method: string,
    path: string,
    options: RequestOptions,
  ): Promise<{ readonly body: unknown; readonly etag: string | null }>
}

interface RequestOptions {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: JsonObject
  readonly mode?: 'draft' | 'published'
  readonly locale?: string
  readonly ifMatch?: string
  readonly idempotencyKey?: string
  readonly keepalive?: boolean
}

/** Which document of the service. */
export interface Address {
  /** The name of a piece type, or `@cms/page`. */
  readonly path: string
  /** Null for one that is not made yet. */
  readonly docId: string | null
  readonly mode: 'draft' | 'published'
  /** Null for types that are not localized. */
  readonly locale: string | null
}

/** A document of the service. One that is made here is that document from then on. */
export function createTarget({ request }: Requests, { path, docId, mode, locale }: Address): Target {
  let id = docId
  const copy = { mode, ...(locale !== null && { locale }) }
  const call = async (method: string, address: string, options: RequestOptions = {}): Promise<Stored> => {
    const { body, etag } = await request(method, address, { ...copy, ...options })
    // `as`: these addresses answer documents, which bring an ETag (§0.8).
    const document = body as JsonObject
    id ??= String(document.aposDocId)
    return { document, etag: etag ?? '' }
  }
  const one = () => `${path}/${id}`
  return {
    save: (body, options) => call('PATCH', one(), { ...options, body }),
    create: (body, options) => call('POST', path, { ...options, body }),
    read: () => call('GET', one(), { query: { archived: 'any' } }),
  }
}
