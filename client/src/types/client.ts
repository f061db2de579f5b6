import type { PieceName, SiteModel } from 'quire-cms/types'
import type { Answer, CallOptions, RequestOptions, Transport } from '../request.ts'
import type { Schema } from '../schema.ts'
import type { Caller, List, LocaleAnswer } from './answers.ts'
import type { Documents } from './documents.ts'
import type { Pages } from './pages.ts'
import type { DocumentRow, DocumentsQuery } from './rows.ts'

/** User name or e-mail, and password. */
export type Credentials = { readonly password: string } & ({ readonly username: string } | { readonly email: string })

/** A service, as one caller sees it. */
export interface Client<M extends SiteModel> {
  /** The documents of a type of pieces. */
  type<Name extends PieceName<M>>(name: Name): Documents<M, Name>
  readonly pages: Pages<M>
  /** A client with the same credential, in another locale or mode. */
  in(place: { readonly locale?: M['locale']; readonly mode?: 'draft' | 'published' }): Client<M>
  /** The locales that the caller may know of, by name. */
  locales(options?: CallOptions): Promise<Readonly<Record<string, LocaleAnswer>>>
  /** Types, widgets and fields, and what the caller may do with them. Known callers only. */
  schema(options?: CallOptions): Promise<Schema>
  /** Documents of all types: their ids, titles and states. Known callers only. */
  documents(query?: DocumentsQuery, options?: CallOptions<M['locale']>): Promise<List<DocumentRow>>
  /** Signs in: by a cookie where the client has a session, else by a token, which further calls send. */
  signIn(credentials: Credentials, options?: CallOptions): Promise<void>
  /** Revokes the credential that calls have sent so far. */
  signOut(options?: CallOptions): Promise<void>
  /** Who is signed in; null for nobody. */
  me(options?: CallOptions): Promise<Caller | null>
  /** Any other request, by its path below `/api/v1/`: `request('GET', '@cms/recent-changes')`. */
  request<Body = unknown>(method: string, path: string, options?: RequestOptions): Promise<Answer<Body>>
  /** For what is built on the client: `quire-client/media`. */
  readonly transport: Transport
}
