// The shape of a declared site's documents: types alone, for programs that send requests (`quire-client`). They need
// neither Node.js nor the service.
export type { CompletedOf, NewDocumentOf, PagePosition, PlaceOf } from './model/declared/content-input.ts'
export type { PatchOf } from './model/declared/content-patch.ts'
export type { ContentList, QueryOf } from './model/declared/content-query.ts'
export type { ShownAttachment } from './model/declared/page-data-types.ts'
export type { NavigationPage, ShownDocumentOf } from './model/declared/shown.ts'
export type {
  ModelOf,
  PageName,
  PageTypeName,
  PieceName,
  PublicModel,
  SiteDeclaration,
  SiteModel,
} from './model/declared/site-model.ts'
