import type { QueryValue } from '../../http/requests/route.ts'
import type { FeedFormat } from '../../model/declared/discovery.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Document } from '../../model/terms/document.ts'
import type { Locale } from '../../model/terms/document-id.ts'
import type { Page } from '../../store/contract/store.ts'

/** A request for the list of an index page. */
export interface IndexRequest {
  /** Values by filter. */
  readonly filters: { readonly [name: string]: QueryValue }
  readonly number: number
  /** The filters whose values are in the path. */
  readonly inPath: readonly string[]
}

/** The content of a public path (§4.2b): something with page data, or a feed. */
export type PathContent = PageContent | FeedContent

/** The subject of page data. */
export type PageContent =
  | ShownContent
  /** `path` is below the site's prefix. */
  | { readonly kind: 'redirect'; readonly path: string; readonly status: 301 | 302 }
  | { readonly kind: 'notFound' }

/** A page to show. `locale`: the one that it is shown in, where its own does not have it (§4.5). */
export type ShownContent = { readonly page: Page; readonly locale?: Locale } & (
  | { readonly kind: 'page' }
  | { readonly kind: 'index'; readonly list: IndexRequest }
  | { readonly kind: 'show'; readonly piece: Document }
)

/** A feed of an index page (§4.6). */
export interface FeedContent {
  readonly kind: 'feed'
  readonly page: Page
  readonly type: Type
  readonly format: FeedFormat
}
