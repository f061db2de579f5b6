import type { Json, JsonObject } from '../../base/json.ts'
import type { Field, Fields } from '../field-type/field-type.ts'
import type { Locale } from '../terms/document-id.ts'
import type { FileGroup } from '../terms/file-groups.ts'
import type { Role } from '../terms/roles.ts'
import type { SiteWebhooks } from './change-events.ts'
import type { Discovery, FeedOptions } from './discovery.ts'
import type { SiteEditor } from './editor-options.ts'
import type { EmbedProvider } from './embed-providers.ts'
import type { SiteJob } from './job-schedules.ts'
import type { SiteMcp } from './mcp-options.ts'
import type { SitePurge } from './purge.ts'
import type { PageTemplates, SiteTemplates, Template } from './template.ts'
import type { TypeQuery } from './type-query.ts'
import type { SitemapRule } from './url-metadata.ts'

/** A content type as compiled at start, for the engine. Frozen. */
export interface Type {
  readonly name: string
  readonly family: 'piece' | 'page'
  readonly label: string
  readonly pluralLabel: string
  /** Null for none. */
  readonly icon: string | null
  readonly description: string | null
  /** `title`, `slug`, `visibility`, `archived` first, then the declared ones. */
  readonly fields: Fields
  /** Properties that anonymous callers see: fields, and `_url` and the like; null when the type is not public. */
  readonly publicProjection: ReadonlySet<string> | null
  readonly guestApiAccess: boolean
  /** Roles that this type requires beyond the defaults (§5.2). */
  readonly viewRole: Role | null
  readonly editRole: Role | null
  readonly publishRole: Role | null
  readonly perPage: number
  /** Fields or `createdAt`, `updatedAt`, with 1 or -1. */
  readonly sort: readonly SortBy[]
  readonly slugPrefix: string
  readonly autopublish: boolean
  /** Its drafts have times at which they are published and archived by themselves (§3.9). */
  readonly scheduling: boolean
  readonly localized: boolean
  readonly singleton: boolean
  readonly versions: boolean
  /** Seconds that answers to anonymous callers may be cached; null: revalidate each time. */
  readonly maxAge: number | null
  /** Relationships by the titles of whose documents search finds those that point to them. */
  readonly searchable: readonly string[]
  /** How much the words of some fields weigh in searches. */
  readonly searchWeights: ReadonlyMap<string, SearchWeight>
  readonly queries: ReadonlyMap<string, TypeQuery>
  /** Of page types: the pieces that they are an index page of; null for all others (§4.2b). */
  readonly index: IndexOptions | null
  /** The hints of documents of this type in sitemaps. */
  readonly sitemap: SitemapRule
  /** The site author's hooks for documents of this type. */
  readonly hooks: TypeHooks
  /** How pages of this type are rendered. */
  readonly templates: PageTemplates
}

/** The pieces that a page type shows: as a list, and each on a page of its own below it. */
export interface IndexOptions {
  readonly piecesType: string
  readonly filters: readonly IndexFilter[]
  /** How many of them a path of a static site combines (§4.6). */
  readonly filtersInPath: 1 | 2
  /** Null: as many as lists of the piece type have. */
  readonly perPage: number | null
  /** Null: its pages have no feeds. */
  readonly feed: FeedOptions | null
}

/** A filter of an index page. */
export interface IndexFilter {
  /** A field of the pieces; of a relationship, `_topics` takes ids and `topics` slugs. */
  readonly name: string
  readonly label: string
  /** Its choices say how many pieces have them. */
  readonly counts: boolean
}

/** How much the words of a field weigh in searches; `none`: no search finds them. */
export type SearchWeight = 'high' | 'normal' | 'low' | 'none'

/** One step of a sort order. */
export interface SortBy {
  readonly field: string
  readonly direction: 1 | -1
}

/** The hooks of a type, which get the fields, which they may change in place, and the event. */
export interface TypeHooks {
  // The event's own type is engine/events.ts's SaveEvent; the model knows nothing of the engine.
  readonly beforeSave?: (fields: never, event: never, ctx: never) => void | Promise<void>
  readonly afterSave?: {
    /** Whether the answer waits for it. */
    readonly wait: boolean
    readonly run: (fields: never, event: never, ctx: never) => void | Promise<void>
  }
  /** The title of a document for which none was given; empty when there is nothing to make it from. */
  readonly title?: (fields: never) => string
}

/** A page that exists from the first start (§2.2): home, the archive, and others that a site parks. */
export interface ParkedPage {
  readonly parkedId: string
  readonly type: string
  readonly title: string
  readonly slug: string
  /** First values of other fields. */
  readonly fields: { readonly [name: string]: Json }
  /** The names of fields that cannot be changed. */
  readonly fixed: readonly string[]
}

/** A locale as compiled. */
export interface LocaleOptions {
  readonly name: Locale
  readonly label: string
  /** Path prefix as URLs have it, percent-encoded: `/fr`; empty for none. */
  readonly prefix: string
  readonly hostname: string | null
  readonly private: boolean
  readonly direction: 'ltr' | 'rtl'
  /** By whose stems search finds words (§4.1); one without stems counts as written. */
  readonly language: string
  /** The locales whose documents stand in for missing ones, the nearest first (§4.5). */
  readonly fallbacks: readonly Locale[]
}

/** A widget type as compiled. */
export interface WidgetType {
  readonly name: string
  readonly label: string
  /** Null for none. */
  readonly icon: string | null
  readonly description: string | null
  /** The declared fields, then those of `styles`. */
  readonly fields: Fields
  readonly styles: StyleFields
  /** Whether it is rendered inside an element that has its styles; else its template places them (§4.7). */
  readonly stylesWrapper: boolean
  /** The field that names a widget in lists of changes (§2.5). */
  readonly titleField: string | null
  /** Annotated documents have changed widgets as they were, too (§4.4). */
  readonly versionsRender: boolean
  /** Annotated documents have deleted widgets. */
  readonly versionsRenderDeleted: boolean
  /** Null: the default one. */
  readonly template: Template | null
}

/** A whole site as compiled and frozen at start: what content is, nothing that depends on the machine. */
export interface Site {
  readonly name: string
  /** `@cms`, or the site's replacement. */
  readonly namespace: string
  /** The prefix of every path; empty or `/site`. */
  readonly prefix: string
  readonly baseUrl: string | null
  /** The start of URLs in static builds, where the machine does not set it (§4.6). */
  readonly staticBaseUrl: string | null
  readonly locales: ReadonlyMap<Locale, LocaleOptions>
  readonly defaultLocale: Locale
  readonly types: ReadonlyMap<string, Type>
  readonly widgets: ReadonlyMap<string, WidgetType>
  /** Built-in pages, in the order in which they are made; home first. */
  readonly parked: readonly ParkedPage[]
  /** The `Content-Security-Policy` of its pages. */
  readonly contentSecurityPolicy: string
  /** The `Content-Security-Policy` of pages that show drafts. */
  readonly draftSecurityPolicy: string
  /** Its files for search engines and other machines. */
  readonly discovery: Discovery
  /** Null: the site has no editor (§11). */
  readonly editor: SiteEditor | null
  /** Null: the site is not open to agents (§4.10). */
  readonly mcp: SiteMcp | null
  /** Links to further pages of an index and to its filters are paths (§4.2b). */
  readonly static: boolean
  /** Requests with names that nothing reads are refused (§0.4). */
  readonly strict: boolean
  /** Visitors of `/` are redirected to the locale that their browser prefers (§4.5). */
  readonly redirectByLanguage: boolean
  /** The status of a redirect from a former URL. */
  readonly historicRedirect: 301 | 302
  /** Where a locale has no page, that of the locale that it falls back to is shown (§4.5). */
  readonly pageFallback: boolean
  /** The global styles (§4.7). */
  readonly styles: SiteStyles
  /** The accepted files. */
  readonly fileGroups: readonly FileGroup[]
  /** Sites whose pages can be embedded; the first that knows an address is asked. */
  readonly embedProviders: readonly EmbedProvider[]
  readonly templates: SiteTemplates
  readonly limits: Limits
  /** The longest body that is read for anonymous callers, in bytes. */
  readonly anonymousBodyLimit: number
  readonly cors: boolean
  readonly trustProxy: boolean
  /** How long a version takes autosaves of the same draft, in milliseconds. */
  readonly draftInterval: number
  /** How long the preview of a draft can be opened (§4.2b), in milliseconds. */
  readonly previewLifetime: number
  /** The draft versions to keep (§4.4); null for all. */
  readonly keptVersions: KeptVersions | null
  /** Work that one of all processes does on schedule (§6.4). */
  readonly jobs: readonly SiteJob[]
  readonly webhooks: SiteWebhooks
  /** The cache in front of the site, which is purged of changes (§6.8); null for none. */
  readonly purge: SitePurge | null
  /** The features of the site itself, in order (features/feature.ts). The model only carries them. */
  readonly features: readonly unknown[]
  /** A function that registers the site's own plugins of the web framework (http/pipeline/server.ts), if it has any. */
  readonly fastify: unknown
}

/** Limits for one request. */
export interface Limits {
  /** Bytes of a JSON body. */
  readonly bodyBytes: number
  /** Bytes of an uploaded file. */
  readonly uploadBytes: number
  readonly perPage: number
  readonly ids: number
  /** Levels of objects, arrays and areas in one another. */
  readonly depth: number
  /** Crops of one image (§4.3). */
  readonly crops: number
  /** Bytes of memory that decoding one image may take (§4.3). */
  readonly imageMemory: number
}

/** The style fields of a site or of a widget type, compiled: what they hold, and the CSS that it becomes (§4.7). */
export interface StyleFields {
  /** Compiled like any other fields; free texts among them take only CSS values. */
  readonly fields: Fields
  /** One for each of the fields, in their order. */
  readonly rules: readonly StyleRule[]
}

/** How the value of one style field becomes CSS. */
export interface StyleRule {
  readonly field: Field
  /** Complete selectors as declared, without commas; none: the wrapper of a widget, the body of a site. */
  readonly selectors: readonly string[]
  /** None for fields that are classes, parts of a template, or conditions of others. */
  readonly properties: readonly string[]
  /** `px`; empty for none. */
  readonly unit: string
  readonly valueTemplate: string | null
  /** `(max-width: 600px)` */
  readonly mediaQuery: string | null
  /** `true`: its values are classes; a text: the class that it gives while it is true. */
  readonly class: true | string | null
  /** `background`: several fields that together are a background (§2.9). */
  readonly customType: 'background' | null
  /** The gap of all layout widgets (§2.9 layoutGap). */
  readonly layoutGapDefault: boolean
  /** The fields of an object. */
  readonly inner: readonly StyleRule[]
}

/** The global styles of a site (§4.7). */
export interface SiteStyles {
  readonly fields: StyleFields
  /** `getStylesheet` also makes what editors see while they change styles. */
  readonly serverRendered: boolean
  /** Makes `{ css, classes }` of the values by the site's own function; null: by the declarations of the fields. */
  readonly getStylesheet: ((document: never, ctx: never) => unknown) | null
}

/** The draft versions to keep (§4.4): those of the last days, and the newest ones; at most one of both is null. */
export interface KeptVersions {
  readonly days: number | null
  readonly count: number | null
}

/** One side of a comparison: the fields that the caller may see now, and nothing else. */
export interface Content {
  readonly type: Type
  readonly fields: JsonObject
}
