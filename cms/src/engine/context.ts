import type { Html } from '../base/html.ts'
import type { Json, JsonObject } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Files } from '../files/files.ts'
import type { PageData, PageSlot } from '../model/declared/page-data-types.ts'
import type { Site, Type } from '../model/declared/types.ts'
import type { AttachmentUrls, LiteralUrl, UrlEntry } from '../model/declared/url-metadata.ts'
import type { Locale, Mode } from '../model/terms/document-id.ts'
import type { SizeName } from '../model/terms/image-sizes.ts'
import type { Store, StoreWriter, Version } from '../store/contract/store.ts'
import type { Caches, Caching } from './answer-caching.ts'
import type { EmbedFinder } from './embed.ts'
import type { AttachmentUrlOptions, ContentChange, Reason, RemovedEvent, RemoveEvent, SaveEvent } from './events.ts'
import type { Actor } from './permissions.ts'
import type { AreaInAnswer, AreaRendering, SceneStyles } from './scene-parts.ts'
import type { TemplateUrls } from './template-urls.ts'

/** The caller, the locale and mode, and the parts of the service. Always the first argument; `as`: content.ts. */
export interface Context {
  readonly site: Site
  readonly store: Store
  /** How stored content is read as the site declares it. */
  readonly content: DeclaredState
  /** Where uploads are kept. */
  readonly files: Files
  /** Finds embeds of other sites. */
  readonly embeds: EmbedFinder
  readonly templates: TemplateFiles
  readonly actor: Actor
  /** The locale and mode of the request, unless an id names others. */
  readonly locale: Locale
  readonly mode: Mode
  /** Locale and mode as named in the query: they override an id. */
  readonly explicit: { readonly locale: Locale | null; readonly mode: Mode | null }
  readonly hooks: HookRunner
  /** Whether the answer may be cached until the content changes that it was made of. */
  readonly caching: Caching
  /** Parts of answers, cached while the content that they were made of is unchanged. */
  readonly caches: Caches
  /** Metrics for monitoring: counters that hooks and routes add to (§0.12). */
  readonly metrics: Metrics
  /** An external front end asks, with its key (§4.6). */
  readonly isExternalFront: boolean
  /** For a static build, by any caller: the URLs of documents begin with the base URL of static builds (§4.6). */
  readonly isStaticBuild: boolean
  readonly staticBaseUrl: string | null
  /**
   * Where the request was sent to, `https://example.org`, on sites without a base URL; null on others, and where it is
   * not known.
   */
  readonly origin: string | null
  readonly now: () => Date
  readonly log: Log
}

/** The declarations that this process and the database have. */
interface DeclaredState {
  /** See `DeclaredContent.isCurrent`. */
  isCurrent(reader: Pick<Store, 'settings'>): Promise<boolean>
}

/** The site's template files, and what is known of templates while the service runs. */
export interface TemplateFiles {
  /** Whether errors are shown in the page, and changed files are read again. */
  readonly isDevelopment: boolean
  /** Renders with a file. Throws what the file throws. */
  render(file: string, values: FileValues): RenderedFile
  /** True the first time that this key is given. */
  isFirst(key: string): boolean
}

/** The variables of a template file. */
export interface FileValues {
  /** Its names below `data`. */
  readonly data: object
  readonly scene: Scene
  /** The value of `data.outerLayout`: a whole document, or only its refreshable part. */
  readonly outer?: 'document' | 'region'
}

/** The output of a template file. */
export interface RenderedFile {
  readonly text: string
  /** The outer layout that the file extends; null for none. */
  readonly outer: 'document' | 'region' | null
}

/**
 * The helpers of templates (§4.2b). Everything that takes time was loaded when it was opened, for all documents of the
 * answer, so that rendering needs no database.
 */
export interface Scene {
  readonly ctx: Context
  /** The result of the `data` function of the widget or page type that is being rendered. */
  readonly data: unknown
  /** The page that is rendered; null where areas are rendered for the API. */
  readonly page: PageData | null
  readonly locale: Locale
  readonly direction: 'ltr' | 'rtl'
  /** Whether only the refreshable part of the page is rendered (`aposRefresh=1`). */
  readonly isRefresh: boolean
  /** How wide images are shown by default. */
  readonly sizes: string
  /** The widgets of an area, one after the other. */
  area(area: AreaInAnswer | null | undefined, options?: AreaRendering): Html
  /** Renders one widget; nothing for types that the site no longer has. */
  widget(widget: object): Html
  /** Returns the URL of an image, or another file, of a relationship; empty when there is none. */
  attachmentUrl(document: unknown, options?: { readonly size?: SizeName | 'original' }): string
  /** Returns all sizes of an image for the attribute `srcset`; empty for images without sizes. */
  srcset(image: unknown): string
  /** The focal point of an image, for the CSS property `object-position`; `50% 50%` by default. */
  focalPoint(image: unknown): string
  /**
   * The attributes `lang` and `dir` for a document that is shown in another locale than the page (§4.5), or for such a
   * field of the global document; nothing for all others: `<article${scene.lang(author)}>`.
   */
  lang(document: unknown, field?: string): Html
  /**
   * Says that an element shows a field of a document, a widget or an item of an array, for callers who edit the draft
   * that is rendered (§11.4); nothing for all others: `<h1${scene.edit(page, 'title')}>`.
   */
  edit<Holder extends object>(holder: Holder | null | undefined, field: keyof Holder & string): Html
  /** The HTML that features add to the page at this place. */
  slot(name: PageSlot): Html
  /** Makes URLs. */
  readonly urls: TemplateUrls
  /** Places the styles of widgets. */
  readonly styles: SceneStyles
}

/** Documents and attachments of the same import, which will exist when it ends. */
export interface Expected {
  /** The types of documents, by aposDocId. */
  readonly documents: ReadonlyMap<string, string>
  readonly attachments: ReadonlySet<string>
}

/** A context inside a transaction. Only `write` makes one, so nothing can be saved outside of it. */
export interface WriteContext extends Context {
  /** Of an import: what may be named although it is not there yet. */
  readonly expected?: Expected
  readonly tx: StoreWriter
  /**
   * 1 at first; higher when the work is repeated because a slug was taken meanwhile: then check slugs before writing.
   */
  readonly attempt: number
  /** The turns of operations on content (`as`) in this transaction. */
  readonly operations: Operations
  /** Runs after the commit and before the answer; failures are logged, and refuse nothing. */
  afterCommit(work: (ctx: Context) => Promise<void> | void): void
}

/** Operations on content inside of a transaction. */
export interface Operations {
  /** Returns the operations that one of these begins itself, as by its hooks. */
  within(): Operations
  /** Runs `work` when the operations before it have ended. Throws when the transaction has ended by then. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** A version that is about to be recorded (§4.4), or updated by an autosave. */
export interface VersionEvent {
  readonly type: Type
  readonly reason: Reason
  readonly version: Version
  /** The fields that it holds, without secrets. */
  readonly content: JsonObject
  /** JSON stored with the version, and answered as its `data`. */
  readonly data: { [name: string]: Json }
}

/**
 * A hook that runs after the commit: a function, which does not delay the answer, or `{ wait: true, run }`, which the
 * answer waits for. It cannot refuse: a failure is logged and counted. A stop of the service waits for those that run.
 */
export type Listener<Event> =
  | ((event: Event, ctx: Context) => void | Promise<void>)
  | { readonly wait: true; run(event: Event, ctx: Context): void | Promise<void> }

/** All extension points. */
export interface Hooks {
  /** Changes or **refuses** what will be saved. Inside the transaction, which may be tried again. */
  beforeSave(event: SaveEvent, ctx: WriteContext): void | Promise<void>
  /** Reacts to what **was saved**, once for each copy. After the commit, alongside the answer; cannot refuse. */
  afterSave: Listener<Readonly<SaveEvent>>
  /**
   * **Adds** to the `data` of a version that is recorded. Inside the transaction of the save, which waits; cannot
   * refuse: what a hook that fails has added is left out, and the failure is logged and counted.
   */
  beforeVersion(event: VersionEvent, ctx: Context): void | Promise<void>
  /** **Notes** what is changed, whatever changes it. Inside the transaction, after the change is written. */
  onChange(changes: readonly ContentChange[], ctx: WriteContext): void | Promise<void>
  /** **Refuses** a permanent removal by throwing. Inside the transaction. */
  beforeRemove(event: RemoveEvent, ctx: WriteContext): void | Promise<void>
  /** Reacts to a removal. After the commit, alongside the answer; cannot refuse. */
  afterRemove: Listener<RemovedEvent>
  /**
   * Adds computed `_` names to a document that **is sent**. Not awaited work: pure, called for each document.
   * Attachments are filled in afterwards: here they have an id, a name and an extension.
   */
  present(document: JsonObject, ctx: Context): void
  /**
   * Changes what a page is rendered with before it **is sent** (§4.2b), in place; awaited. Also called by the event's
   * name, `@cms/page:beforeSend`.
   */
  beforeSend(data: PageData, ctx: Context): void | Promise<void>
  /**
   * Adds to the pages and files that static builds and sitemaps **list** (§4.6), or changes them, in place; awaited.
   * `results` holds those of all types but `excludeTypes`, which stay out. Also called by the event's name,
   * `@cms/url:getAllUrlMetadata`.
   */
  getAllUrlMetadata(
    ctx: Context,
    results: UrlEntry[],
    options: { readonly excludeTypes: readonly string[] },
  ): void | Promise<void>
  /** Adds or changes the files of attachments. Also called as `@cms/url:getAllAttachmentMetadata`. */
  getAllAttachmentMetadata(ctx: Context, results: AttachmentUrls[], options: AttachmentUrlOptions): void | Promise<void>
  /**
   * Names files that the service makes itself, and static builds write as they are: entries with a `contentType`.
   * Unlike `getAllUrlMetadata` it needs no other entries, which are not all loaded for it.
   */
  listLiteralUrls(ctx: Context, results: LiteralUrl[]): void | Promise<void>
  /** Names the paths of such files, which external front ends pass on (§4.6): `*` is within a step, `**` any steps. */
  getLiteralContentRoutes(ctx: Context, patterns: string[]): void | Promise<void>
  /** Changes how a widget **is rendered**: returns its HTML, or nothing to leave it. Cannot wait. */
  renderWidget(html: Html, widget: JsonObject, scene: Scene): Html | undefined
  /** Prepares what the feature needs when the service **starts**, after migrations. */
  onStart(ctx: Context): void | Promise<void>
  /** Releases everything when the service **stops**. */
  onStop(ctx: Context): void | Promise<void>
}

/** Hooks by their own names or by those of their events (§6): `'@cms/page:beforeSend'(data, ctx) { … }`. */
export type NamedHooks = Partial<Hooks> & {
  readonly [event: `@${string}/page:beforeSend`]: Hooks['beforeSend']
  readonly [event: `@${string}/url:getAllUrlMetadata`]: Hooks['getAllUrlMetadata']
  readonly [event: `@${string}/url:getAllAttachmentMetadata`]: Hooks['getAllAttachmentMetadata']
}

/** The hooks that run after the commit. */
export type CommittedHook = 'afterSave' | 'afterRemove'
/** The hooks that run while the work is done. */
export type InlineHook = Exclude<keyof Hooks, CommittedHook | 'renderWidget' | 'beforeVersion'>
/** The event that a hook of this name gets. */
export type HookEvent<Name extends CommittedHook> = Name extends 'afterSave' ? SaveEvent : RemovedEvent

/** Runs all registered hooks of a name: those of a document's type first, then those of the features in their order. */
export interface HookRunner {
  /** The hooks that features have, so that work for absent ones is skipped. */
  readonly names: ReadonlySet<keyof Hooks>
  /** Whether a feature or one of these types has such a hook. */
  has(name: keyof Hooks, types: readonly Type[]): boolean
  run<Name extends InlineHook>(name: Name, ...args: Parameters<Hooks[Name]>): Promise<void>
  /** Merges the data that all `beforeVersion` hooks add to a version. */
  dataOfVersion(event: VersionEvent, ctx: Context): Promise<JsonObject>
  /** The HTML of a widget, after all `renderWidget` hooks. */
  renderWidget(html: Html, widget: JsonObject, scene: Scene): Html
  /** Runs the hooks for what was committed; resolves when those that the answer waits for are done. */
  notify<Name extends CommittedHook>(
    name: Name,
    events: () => Iterable<HookEvent<Name>> | AsyncIterable<HookEvent<Name>>,
    ctx: Context,
  ): Promise<void>
  /** Returns how many hooks have failed since the start. */
  failures(): number
  /** Resolves when no hook is running. */
  idle(): Promise<void>
}
