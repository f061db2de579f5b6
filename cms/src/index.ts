// The public API: what a site is written with.
import { late } from './base/late.ts'
import type { ContentMigration } from './engine/content-migrations/migration.ts'
import type { Content } from './engine/content-operations.ts'
import type { Context, Scene, WriteContext } from './engine/context.ts'
import type { SaveEvent } from './engine/events.ts'
import type { Feature } from './features/feature.ts'
import type { SitePlugins } from './http/pipeline/site-plugins.ts'
import type { ContentType } from './model/declared/content-type.ts'

declare module './model/terms/engine-types.ts' {
  interface EngineTypes {
    readonly saveEvent: SaveEvent
    readonly context: Context
    readonly writeContext: WriteContext
    readonly scene: Scene
    readonly feature: Feature
    readonly fastify: SitePlugins
  }
  interface EngineTypesOf<Types> {
    readonly content: Types extends readonly ContentType[] ? Content<Types> : never
  }
}

export type { App, AppOptions, SiteApp } from './app.ts'
export { buildUrl, type UrlData, type UrlValue } from './base/build-url.ts'
export {
  CmsError,
  conflict,
  type ErrorName,
  forbidden,
  invalid,
  invalidFields,
  notFound,
  type Problem,
} from './base/errors.ts'
export { attributes, Html, type HtmlValue, html, json, raw } from './base/html.ts'
export { newId } from './base/ids.ts'
export type { Json, JsonObject, JsonSchema } from './base/json.ts'
export type {
  Changes,
  ContentChanges,
  ContentMigration,
  DeclaredType,
  FieldPath,
  MigratedDocument,
} from './engine/content-migrations/migration.ts'
export type { Acting, Content, ContentOptions, LocalizeOptions, TreeOptions } from './engine/content-operations.ts'
export type { Context, Hooks, Listener, Scene, WriteContext } from './engine/context.ts'
export type { ContentChange, Reason, RemovedEvent, RemoveEvent, SaveEvent } from './engine/events.ts'
export type { NewDocument } from './engine/operations/insert.ts'
export { singletonId } from './engine/operations/singletons.ts'
export { homeId } from './engine/pages/parked.ts'
export type { Actor } from './engine/permissions.ts'
export {
  getBaseUrl,
  getChoiceFilter,
  getPageFilter,
  isExternalFront,
  isStaticBuild,
  withFilter,
} from './engine/presentation/url-operations.ts'
export { getWidgetAttributes, getWidgetElements, prepareWidgetStyles } from './engine/rendering/widget-styles.ts'
export type { WidgetStyles } from './engine/scene-parts.ts'
export { type SiteStylesheet, stylesheetOf } from './engine/styles/stylesheet.ts'
export type { BaseUrlOptions, FilterValue, TemplateUrls } from './engine/template-urls.ts'
export type { UrlMetadataOptions } from './engine/urls/collect-urls.ts'
export { write } from './engine/write.ts'
export type { Feature } from './features/feature.ts'
export type { NewPage } from './features/pages/insert-page.ts'
export { treeTarget } from './features/pages/position.ts'
export { findPieces, type PiecesFound } from './features/pieces/find-pieces.ts'
export type { ReceivedDelivery } from './features/webhooks/signature.ts'
export type { PluginReply, PluginRequest, PluginScope, SitePlugins } from './http/pipeline/site-plugins.ts'
export {
  type QueryParameter,
  Reply,
  type Route,
  type RouteRequest,
  type Upload,
  type UploadedFile,
} from './http/requests/route.ts'
export { type RouteDeclaration, route, type TypedRequest } from './http/requests/typed-route.ts'
export {
  type DeclaredJob,
  defineSite,
  type JobRun,
  type SiteDeclaration,
  type TypesOf,
} from './model/compile/site-options.ts'
export type { ChangeEvent } from './model/declared/change-events.ts'
export type {
  ContentDocument,
  ContentList,
  ContentQuery,
  DocumentInput,
  DocumentPatch,
  PagePosition,
} from './model/declared/content-input.ts'
export {
  type ContentType,
  defineFieldType,
  field,
  page,
  piece,
  query,
  type WidgetDeclaration,
  widget,
} from './model/declared/content-type.ts'
export type { DeclaredField, DeclaredFieldSet, DeclaredFields } from './model/declared/declared-fields.ts'
export type { DocumentOf } from './model/declared/infer.ts'
export type { PageData, ShownDocument } from './model/declared/page-data-types.ts'
export type { Presets } from './model/declared/preset.ts'
export type { ShownImage } from './model/declared/shown.ts'
export type { SceneWith } from './model/declared/type-options.ts'
export type { Site, Type } from './model/declared/types.ts'
export type { AttachmentUrls, DocumentUrl, LiteralUrl, UrlEntry, UrlMetadata } from './model/declared/url-metadata.ts'
export type { Difference, FieldType, Reading } from './model/field-type/field-type.ts'
export type { IndexValue } from './model/field-type/index-value.ts'
export type { Reference } from './model/field-type/reference.ts'
export { toCss as getWidgetStylesheet } from './model/styles/to-css.ts'
export type { Document, DocumentId } from './model/terms/document.ts'
export type { Role } from './model/terms/roles.ts'
export type { Attachment } from './store/contract/store.ts'

/**
 * Compiles a site, opens its database and uploads, and brings stored content up to date. Returns the service, which
 * answers requests once `listen` is called. Throws `ConfigurationError` with all mistakes of the site, `unavailable`
 * when the database cannot be reached.
 */
export const createApp = late(() => import('./app.ts'), 'createApp')
/**
 * Makes a new document from a body (§4.1 POST), in a transaction: `write(ctx, (tx) => insert(tx, target, body))`.
 * Returns the copy of the requested mode. Throws `invalid` with all wrong fields, `conflict` for a given slug that is
 * taken, `forbidden` where the actor may not.
 */
export const insert = late(() => import('./engine/operations/insert.ts'), 'insert')
/**
 * Makes up to some hundred documents of one type (§4.1 POST), all or none, in a constant number of statements. Returns
 * them in their order, and throws what `insert` throws.
 */
export const insertMany = late(() => import('./engine/operations/insert.ts'), 'insertMany')
/**
 * Changes some fields of a document (§4.1 PATCH). Returns the copy that the id names, and both copies as they are now.
 * Throws `notfound`, `invalid` with all wrong fields, `forbidden`, and `conflict` for a taken slug or a stale
 * `ifMatch`.
 */
export const update = late(() => import('./engine/operations/update.ts'), 'update')
/**
 * Copies the draft over the published copy (§4.1 publish), and returns that. Having nothing to publish is no error.
 * Throws `notfound`, `forbidden`, and `conflict` for a taken slug or a stale `ifMatch`.
 */
export const publish = late(() => import('./engine/operations/publish.ts'), 'publish')
/**
 * Copies the draft of a document to the draft of another locale (§3.4). Returns the copy that is there then, and the
 * ids of all that was made. Throws `notfound`, `forbidden`, and `conflict` where there is one already, unless `update`
 * is set.
 */
export const localize = late(() => import('./engine/operations/localize.ts'), 'localize')
/**
 * Creates a page at its position in the tree (§4.2 POST). Returns the requested copy and the position. Throws `invalid`
 * for positions where no page may be and for wrong fields, `notfound` for an unknown target, `conflict` for a taken
 * slug.
 */
export const insertPage = late(() => import('./features/pages/insert-page.ts'), 'insertPage')
/** Makes the crops that values from outside ask for (§4.3), before the transaction that checks them. */
export const prepareCrops = late(() => import('./engine/media/requested-crops.ts'), 'prepareCrops')
/**
 * Makes an attachment (§2.3) of a local file, as an upload of that name would. An SVG is cleaned in place. Throws
 * `invalid` for files that the site does not accept, `unavailable` when files cannot be stored.
 */
export const importFile = late(() => import('./features/media/upload-file.ts'), 'importFile')
/**
 * For receivers of webhooks (§6.7): true when a delivery was signed with this secret, with this body, at most
 * `toleranceSeconds` ago (300 when left out). Never throws for what was sent.
 */
export const verifyWebhook = late(() => import('./features/webhooks/signature.ts'), 'verifyWebhook')
/**
 * All URLs of a locale that visitors may see, and the files that they need (§4.6):
 *
 *     const { pages } = await getAllUrlMetadata(ctx, { excludeTypes: ['author'] })
 *
 * Lists what is published and public, whoever asks.
 */
export const getAllUrlMetadata = late(() => import('./engine/urls/collect-urls.ts'), 'getAllUrlMetadata')

/**
 * Declares a content migration, in a file of its own in the folder `migrations` beside the site:
 *
 *     export const migration = defineMigration({
 *       name: '0001-rename-body',
 *       async up(content) {
 *         await content.renameField(article, 'body', 'text')
 *       },
 *     })
 */
export function defineMigration(migration: ContentMigration): ContentMigration {
  return migration
}
