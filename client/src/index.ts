export { memoryCache } from './cache.ts'
export { type ClientOptions, createClient } from './client.ts'
export { add, at, move, type Operation, type Place, type Pushed, pull, push, set } from './edit.ts'
export { type ErrorName, isProblem, type Problem, QuireError } from './errors.ts'
export type { Json, JsonObject } from './json.ts'
export type { QueryValue, QueryValues } from './query.ts'
export type {
  Answer,
  AnswerCache,
  CallOptions,
  KeptAnswer,
  OutgoingRequest,
  RequestOptions,
  WriteOptions,
} from './request.ts'
export type {
  Action,
  Choice,
  Denied,
  FieldInfo,
  FieldOptions,
  GroupInfo,
  LocaleInfo,
  Reason,
  Role,
  Schema,
  TextStyle,
  TypeInfo,
  WidgetInfo,
} from './schema.ts'
export type {
  Caller,
  DocumentLocales,
  FilterChoice,
  List,
  LocaleAnswer,
  NamedDocument,
  Outcome,
  PublishCheck,
  SlugCheck,
  Stored,
} from './types/answers.ts'
export type { ChangedImage, ChangeRow, ChangeStep, Changes, FormatChange } from './types/changes.ts'
export type { Client, Credentials } from './types/client.ts'
export type { BulkOptions, Documents, ListQuery, Localizing, SingleQuery, SlugQuestion } from './types/documents.ts'
export type { ChildrenQuery, Pages, TreeQuery } from './types/pages.ts'
export type { Projected, Projection } from './types/projection.ts'
export type { DocumentRow, DocumentState, DocumentsQuery } from './types/rows.ts'
export type { Version, VersionList, VersionsQuery } from './versions.ts'
