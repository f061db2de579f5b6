// The public API: what a site is written with.
import type { ContentMigration } from './engine/content-migrations/migration.ts'
import type { Content, SiteContext } from './engine/content-operations.ts'
import type { Context, Scene, WriteContext } from './engine/context.ts'
import type { SaveEvent } from './engine/events.ts'
import type { Feature } from './features/feature.ts'
import type { SitePlugins } from './http/pipeline/site-plugins.ts'
import type { SiteDeclaration } from './model/declared/site-model.ts'

declare module './model/terms/engine-types.ts' {
  interface EngineTypes {
    readonly saveEvent: SaveEvent
    readonly context: Context
    readonly writeContext: WriteContext
    readonly scene: Scene
    readonly feature: Feature
    readonly fastify: SitePlugins
  }
  interface EngineTypesOf<Site> {
    readonly content: Site extends SiteDeclaration ? Content<Site> : never
    readonly siteContext: Site extends SiteDeclaration ? SiteContext<Site> : never
  }
}

export { type App, type AppOptions, createApp, type SiteApp } from './app.ts'
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
export type {
  Acting,
  Content,
  ContentOptions,
  LocalizeOptions,
  SiteContext,
  TreeOptions,
} from './engine/content-operations.ts'
export type { Context, Hooks, Listener, Scene, WriteContext } from './engine/context.ts'
export type { ContentChange, Reason, RemovedEvent, RemoveEvent, SaveEvent } from './engine/events.ts'
export { insert, insertMany, type NewDocument } from './engine/operations/insert.ts'
export { insertPage, type NewPage } from './engine/operations/insert-page.ts'
export { localize } from './engine/operations/localize.ts'
export { prepareCrops } from './engine/operations/prepare-crops.ts'
export { publish } from './engine/operations/publish.ts'
export { update } from './engine/operations/update.ts'
export { homeId } from './engine/pages/parked.ts'
export { treeTarget } from './engine/pages/position.ts'
export type { Actor } from './engine/permissions.ts'
export {
  getBaseUrl,
  getChoiceFilter,
  getPageFilter,
  isExternalFront,
  isStaticBuild,
  withFilter,
} from './engine/presentation/url-operations.ts'
export { type ArticleMetadata, type PageMetadata, pageMetadata } from './engine/rendering/page-metadata.ts'
export { prepareWidgetStyles } from './engine/rendering/prepare-styles.ts'
export { getWidgetAttributes, getWidgetElements } from './engine/rendering/widget-styles.ts'
export type { WidgetStyles } from './engine/scene-parts.ts'
export { type SiteStylesheet, stylesheetOf } from './engine/styles/stylesheet.ts'
export type { BaseUrlOptions, FilterValue, TemplateUrls } from './engine/template-urls.ts'
export { getAllUrlMetadata, type UrlMetadataOptions } from './engine/urls/collect-urls.ts'
export { singletonId } from './engine/values/fixed-id.ts'
export { write } from './engine/write.ts'
export type { Feature } from './features/feature.ts'
export { importFile } from './features/media/upload-file.ts'
export { findPieces } from './features/pieces/list-pieces.ts'
export { type ReceivedDelivery, verifyWebhook } from './features/webhooks/signature.ts'
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
export { type DeclaredJob, defineSite, type JobRun } from './model/compile/site-options.ts'
export type { ChangeEvent } from './model/declared/change-events.ts'
export type { DocumentInput, PagePosition } from './model/declared/content-input.ts'
export type { DocumentPatch } from './model/declared/content-patch.ts'
export type { ContentList, ContentQuery } from './model/declared/content-query.ts'
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
export type { PageData, ShownDocument, ShownImage } from './model/declared/page-data-types.ts'
export type { Presets } from './model/declared/preset.ts'
export type { Shown, ShownWidget } from './model/declared/shown.ts'
export type { SiteDeclaration } from './model/declared/site-model.ts'
export { type SiteTemplate, type TemplateData, templatesFor, withTemplates } from './model/declared/site-templates.ts'
export type { SceneWith } from './model/declared/type-options.ts'
export type { Site, Type } from './model/declared/types.ts'
export type { AttachmentUrls, DocumentUrl, LiteralUrl, UrlEntry, UrlMetadata } from './model/declared/url-metadata.ts'
export type { Difference, FieldType, Reading } from './model/field-type/field-type.ts'
export type { IndexValue, Reference } from './model/field-type/value-terms.ts'
export { toCss as getWidgetStylesheet } from './model/styles/to-css.ts'
export type { Document, OpenDocument } from './model/terms/document.ts'
export type { DocumentId } from './model/terms/document-id.ts'
export type { Role } from './model/terms/roles.ts'
export type { Attachment } from './store/contract/store.ts'

/**
 * Declares a content migration, in a file of its own in the folder `migrations` next to the site:
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
