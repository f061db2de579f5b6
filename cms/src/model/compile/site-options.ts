import type { Html } from '../../base/html.ts'
import type { Json } from '../../base/json.ts'
import type { Log } from '../../base/log.ts'
import type { ChangeEvent } from '../declared/change-events.ts'
import type { CheckDeclarations, CheckGlobal, DeclaredNames, Groups, ProjectionName } from '../declared/check-types.ts'
import type { ContentType, WidgetDeclaration } from '../declared/content-type.ts'
import type { DeclaredFields, NoFields } from '../declared/declared-fields.ts'
import type { SiteStylesOptions } from '../declared/declared-styles.ts'
import type { DeclaredEditor } from '../declared/editor-options.ts'
import type { EmbedProvider } from '../declared/embed-providers.ts'
import type { DeclaredMcp } from '../declared/mcp-options.ts'
import type { PageData, ShownDocument } from '../declared/page-data-types.ts'
import type { PurgeKind } from '../declared/purge.ts'
import type { BuiltInTypeName, Declares, SiteDeclaration } from '../declared/site-model.ts'
import type { SceneWith, TemplateOptions } from '../declared/type-options.ts'
import type { Limits } from '../declared/types.ts'
import type { FieldType } from '../field-type/field-type.ts'
import type { Engine, EngineOf } from '../terms/engine-types.ts'
import type { Role } from '../terms/roles.ts'

export type { SiteDeclaration } from '../declared/site-model.ts'

/** A locale as declared (§4.5). Exactly one has no prefix, unless all have a host name. */
export interface DeclaredLocale<Locale extends string = never> {
  readonly label: string
  /** `/fr`; default none. */
  readonly prefix?: string
  readonly hostname?: string
  /** Only for callers who are not anonymous. */
  readonly private?: boolean
  readonly direction?: 'ltr' | 'rtl'
  /** The language by whose stems search finds words, `de`; default: what the name of the locale begins with. */
  readonly language?: string
  /** The locale whose documents stand in for those that this one does not have (§4.5). */
  readonly fallback?: Locale
}

/** A built-in page as declared (§4.2). */
interface DeclaredParkedPage {
  readonly parkedId: string
  readonly type: string
  readonly title: string
  readonly slug: `/${string}`
  readonly fields?: { readonly [name: string]: Json }
  readonly fixed?: readonly string[]
}

/** The argument of a job's `run`. */
export interface JobRun<Site> {
  readonly name: string
  /** The site's content, for the one that the job says (§6.5). */
  readonly content: EngineOf<'content', Site>
  readonly log: Log
  /** Aborted when the service stops: then end soon, and the job is run again. */
  readonly signal: AbortSignal
}

/** A job (§6.4): work that one of all processes does on schedule, while the service runs. */
export type DeclaredJob<Site> = {
  readonly name: string
  /** In whose name it acts. */
  readonly as: { readonly role: Role; readonly name: string; readonly ai?: boolean } | { readonly user: string }
  readonly run: (job: JobRun<Site>) => unknown
} & (
  | {
      /** `10m`, `2h`, `1d`: so long after each beginning. */
      readonly every: `${number}${'s' | 'm' | 'h' | 'd'}`
      readonly daily?: undefined
    }
  | {
      /** `03:30`, in the time zone. */
      readonly daily: `${number}:${number}`
      /** `UTC` when left out. */
      readonly timeZone?: string
      readonly every?: undefined
    }
)

/** Declares the content of a site; nothing here depends on the machine. */
interface SiteOptions<
  Types extends readonly ContentType[],
  Widgets extends readonly WidgetDeclaration[],
  Global extends DeclaredFields,
  StyleName extends string,
  Locale extends string,
> {
  readonly name?: string
  /** Replaces `@cms` in every name: `@apostrophecms` for existing clients (§0.1). */
  readonly namespace?: `@${string}`
  /** The prefix of every path of the service: `/site`. */
  readonly prefix?: `/${string}` | ''
  /** `https://example.org`: the beginning of every URL that is sent. */
  readonly baseUrl?: string
  /** The beginning of URLs in static builds; `QUIRE_STATIC_BASE_URL` outweighs it. */
  readonly staticBaseUrl?: string
  /** By name, the default locale first; without it there is one, `en`. */
  readonly locales?: { readonly [Name in Locale]: DeclaredLocale<NoInfer<Locale>> }
  readonly types?: Types & CheckDeclarations<Types, DeclaredNames<Types, Widgets>>
  readonly widgets?: Widgets & CheckDeclarations<Widgets, DeclaredNames<Types, Widgets>>
  /** Field types of the site itself, made by `defineFieldType`. */
  readonly fieldTypes?: readonly FieldType[]
  /** The accepted files; replaces the groups `images` and `office`. */
  readonly fileGroups?: readonly {
    readonly name: string
    readonly label?: string
    readonly extensions: readonly string[]
  }[]
  readonly limits?: Partial<Limits>
  /** The longest body that is read for anonymous callers, in bytes: 64 KB when left out. */
  readonly anonymousBodyLimit?: number
  readonly cors?: boolean
  /** The editor in the browser (§11), at `/admin` when left out; `false`: none. */
  readonly editor?: DeclaredEditor | false
  /** Agents, by MCP with an API key (§4.10): drafts only; `false`: none. */
  readonly mcp?: DeclaredMcp | false
  /** Trust the address and host name that a proxy in front forwards. */
  readonly trustProxy?: boolean
  /** How long an autosaved draft takes further autosaves into one version: milliseconds, a day when left out. */
  readonly draftInterval?: number
  /**
   * The draft versions to keep: those of the last `days`, and the newest `count` of each document. Others are deleted,
   * but never published, labelled and newest versions. Default: all.
   */
  readonly versions?: { readonly keep: { readonly days?: number; readonly count?: number } }
  /** How long the preview of a draft can be opened: milliseconds, an hour when left out. */
  readonly previewLifetime?: number
  /** Providers of embeds (§4.8) in addition to the well-known ones; they are tried first. */
  readonly embeds?: { readonly providers: readonly EmbedProvider[] }
  /**
   * Pictures in rich text come from the hosts of this site and from these: `['images.example.org', '*.example.net']`.
   * Others are left out, since they would learn who reads the page.
   */
  readonly richText?: { readonly imageHosts?: readonly string[] }
  readonly features?: readonly Engine<'feature'>[]
  /** Work that one of all processes does on schedule (§6.4). */
  readonly jobs?: readonly DeclaredJob<
    SiteDeclaration<Declares<NoInfer<Types>, NoInfer<Widgets>, NoInfer<Global>, NoInfer<Locale>>>
  >[]
  /** Receivers of changes, in addition to those that admins add (§6.7). */
  readonly webhooks?: {
    /** Receivers may be in private networks, and need no https. */
    readonly allowPrivate?: boolean
    readonly receivers?: readonly {
      readonly name: string
      readonly url: string
      /** The secret that deliveries are signed with: at least 16 characters, from the environment. */
      readonly secret: string
      readonly events: readonly ChangeEvent[]
      /** Names of types; all when left out. */
      readonly types?: readonly (NoInfer<Types>[number]['name'] | BuiltInTypeName)[]
    }[]
  }
  /**
   * The cache in front of the site: answers to anonymous callers name what they were made of, and each commit purges the
   * names that it has changed (§6.8).
   */
  readonly purge?: {
    /** Where the names are sent. */
    readonly url: string
    readonly kind: PurgeKind
    /** Sent with them, as `{ 'Fastly-Key': … }`, from the environment; or set QUIRE_PURGE_TOKEN. */
    readonly headers?: { readonly [name: string]: string }
    /** The cache may be in a private network, and needs no https. */
    readonly allowPrivate?: boolean
    /** A process that starts to serve purges everything, since its release may differ: `true` when left out. */
    readonly atStart?: boolean
    /** Seconds for which browsers keep answers: 0 when left out. Nothing tells them of changes. */
    readonly maxAge?: number
    /** Seconds for which the cache keeps answers: when left out, it asks each time, or decides by itself. */
    readonly sharedMaxAge?: number
  }
  /** Registers Fastify plugins and routes outside the API: `async (app) => { app.get('/feed', …) }`. */
  readonly fastify?: Engine<'fastify'>
  readonly pages?: {
    /** Properties that page types show to anonymous callers unless they declare their own. */
    readonly publicApiProjection?: readonly ProjectionName<NoFields>[]
    /** More pages that are there from the first start, below home; their `fixed` fields (default: slug) stay. */
    readonly parked?: readonly DeclaredParkedPage[]
    /** The status of redirects from the former URLs of pages: 302 when left out. */
    readonly historicRedirect?: 301 | 302
    /** Where a locale has no page, its visitors see that of the locale that it falls back to (§4.5). */
    readonly fallback?: boolean
  }
  /** Links to further pages of an index page and to its filters are paths: `/articles/page/2`, for static exports. */
  readonly static?: boolean
  /** Refuses parameters and properties of bodies that nothing reads (§0.4), with a suggestion: misspelled ones. */
  readonly strict?: boolean
  /**
   * Limits what the pages of the site may load and run: directives of the header Content-Security-Policy, in addition to those
   * that forbid plugins and framing: `{ 'script-src': "'self'" }`.
   */
  readonly contentSecurityPolicy?: { readonly [directive: string]: string }
  /** `/robots.txt`: `true`, or rules: `{ rules: [{ userAgent: 'GPTBot', disallow: ['/'] }] }`. It names the sitemap. */
  readonly robots?:
    | boolean
    | {
        readonly rules?: readonly {
          /** `*` when left out. */
          readonly userAgent?: string | readonly string[]
          readonly allow?: readonly string[]
          readonly disallow?: readonly string[]
          /** Page types: their pages are forbidden in every locale, at whatever address. */
          readonly disallowPages?: readonly NoInfer<Types>[number]['name'][]
        }[]
      }
  /**
   * `/sitemap.xml`, with all locales that are not private; with `lists: true` also the further pages of index pages and
   * their filters.
   */
  readonly sitemap?: boolean | { readonly lists?: boolean }
  /** `/llms.txt`: the site's pages for language models, after a title, a summary, and details in Markdown. */
  readonly llms?: boolean | { readonly title?: string; readonly summary?: string; readonly details?: string }
  /** Redirects visitors of `/` to the locale that their browser prefers (`Accept-Language`). */
  readonly redirectByLanguage?: boolean
  /** The folder of the site's template files: `new URL('./templates', import.meta.url)`. */
  readonly templates?: URL | string
  /**
   * The whole document around each page: a function that is given the page with its `<main id="main">` (the layout has
   * none of its own), or a file that begins with `{% extends data.outerLayout %}`.
   */
  readonly layout?:
    | ((content: Html, data: PageData<ShownDocument | null, ShownDocument>, scene: SceneWith<unknown>) => Html)
    | string
  /** The page for what is not found. */
  readonly notFound?: TemplateOptions<PageData<ShownDocument | null, ShownDocument>, unknown>
  /** The page for a failure of the service. */
  readonly error?: TemplateOptions<PageData<ShownDocument | null, ShownDocument>, unknown>
  /** The styles of the whole site (§4.7), which editors set: fields whose values become the stylesheet of all pages. */
  readonly styles?: SiteStylesOptions<StyleName, Engine<'context'>>
  /** The fields of the global document. */
  readonly global?: {
    readonly fields: {
      readonly add: Global & CheckGlobal<Global, DeclaredNames<Types, Widgets>>
      readonly group?: Groups<keyof NoInfer<Global> & string>
    }
  }
}

/**
 * Declares a site. The compiler refuses unknown field types, options, fields, choices, types and widgets; what only
 * shows at run time is reported at start, all at once (`compileSite`, `quire check`). Its templates: `withTemplates`.
 */
export function defineSite<
  const Types extends readonly ContentType[] = readonly [],
  const Widgets extends readonly WidgetDeclaration[] = readonly [],
  const Global extends DeclaredFields = NoFields,
  const StyleName extends string = string,
  const Locale extends string = 'en',
>(
  options: SiteOptions<Types, Widgets, Global, StyleName, Locale>,
): SiteDeclaration<Declares<Types, Widgets, Global, Locale>> {
  return { kind: 'site', options }
}
