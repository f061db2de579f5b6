import type { Json, JsonObject } from '../../base/json.ts'
import type { ContentType, WidgetDeclaration } from '../../model/declared/content-type.ts'
import type { Locale, Mode } from '../../model/terms/document-id.ts'
import type { WriteContext } from '../context.ts'

/** A change of the content that is stored, which is made once on each database (§2.14). */
export interface ContentMigration {
  /** Identifies the migration: it is unique and never changes. */
  readonly name: string
  /** Says in steps how the content changes. It is called again after an interruption, and must say the same. */
  readonly up: (content: ContentChanges) => Promise<void>
  /** A digest of its file, by which a change of it is noticed; the command fills it in. */
  readonly checksum?: string
}

/** A type of documents or widgets: what `piece`, `page` or `widget` made, or its name. */
export type DeclaredType = ContentType | WidgetDeclaration | string

type Inner<Field> = Field extends { readonly fields: { readonly add: infer Add } } ? Add : never

type PathIn<Fields> = {
  [Name in keyof Fields & string]: Inner<Fields[Name]> extends never
    ? Name
    : Name | `${Name}.${PathIn<Inner<Fields[Name]>>}`
}[keyof Fields & string]

/** The fields of a type as it is declared, and those inside of them: `links.url`. */
export type FieldPath<Type> = Type extends { readonly fields: { readonly add: infer Add } }
  ? string extends keyof Add
    ? string
    : PathIn<Add>
  : string

/** The fields of documents, also those that every type has. */
type MappedPath<Type> = FieldPath<Type> | 'title' | 'slug' | 'visibility'

/** A copy of a document, as a migration reads it. */
export interface MigratedDocument {
  readonly aposDocId: string
  /** Empty for types without locales. */
  readonly locale: Locale
  readonly mode: Mode
  readonly type: string
  /** Its values as they are stored. */
  readonly values: JsonObject
  /** The values that its fields, as they are declared now, do not take, and those of fields that are gone. */
  readonly former: JsonObject
}

/**
 * The operations of a migration. Each call is a step. Documents are changed by all steps together, in order, when `up`
 * has returned, or before `run` does something else: in batches, each document once, with one version.
 */
export interface ContentChanges {
  /** True when nothing is to be written: counts and examples are shown. */
  readonly isDryRun: boolean
  /** Gives the documents, or the widgets, of a type to the type that takes its place. */
  renameType(from: string, to: DeclaredType): Promise<void>
  /**
   * Gives the values of a field to the one that takes its place, in the same set of fields: `('links.to',
   * 'links.url')`.
   */
  renameField<Type extends DeclaredType>(type: Type, from: string, to: FieldPath<Type>): Promise<void>
  /**
   * Moves the values of a field into an object or out of it, or into an item of a list: `('street', 'address.street')`.
   * Fields that are moved into the same list share one item.
   */
  moveField<Type extends DeclaredType>(type: Type, from: string, to: FieldPath<Type>): Promise<void>
  /** Gives another value to a choice: `('section', 'news', 'reports')`. */
  renameChoice<Type extends DeclaredType>(type: Type, field: FieldPath<Type>, from: string, to: string): Promise<void>
  /**
   * Replaces each value of a field; undefined keeps it. The function also gets stored values that the field does not
   * accept as it is declared now. Its result is checked like the body of a request.
   */
  mapField<Type extends DeclaredType>(
    type: Type,
    field: MappedPath<Type>,
    map: (value: Json, document: MigratedDocument) => Json | undefined | Promise<Json | undefined>,
  ): Promise<void>
  /** Reads each copy of each document, and changes the fields that it returns; undefined changes nothing. */
  mapDocuments(
    type: DeclaredType,
    map: (document: MigratedDocument) => Changes | undefined | Promise<Changes | undefined>,
  ): Promise<void>
  /** Does something else, all in one transaction and once: `insert`, `update` and the like take its `ctx`. */
  run(title: string, work: (ctx: WriteContext) => Promise<void>): Promise<void>
}

/** Fields of a document with new values, as in a body of a request. */
export type Changes = { readonly [field: string]: Json }
