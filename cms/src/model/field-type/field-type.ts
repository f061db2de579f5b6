import type { ZodType } from 'zod'
import type { Problem } from '../../base/errors.ts'
import type { Json, JsonObject, JsonSchema } from '../../base/json.ts'
import type { Role } from '../terms/roles.ts'
import type {
  Choice,
  DocumentReference,
  IndexValue,
  PartSegment,
  Reference,
  Segment,
  TextNames,
} from './value-terms.ts'

/**
 * Everything about one type of value. Pure: what needs the store is returned as data. Input is read strictly but
 * tolerantly (§2.13): numbers and booleans also as strings, surrounding space dropped, one value for a list of
 * checkboxes; nothing else is guessed.
 */
export interface FieldType<Options extends object = object, Value extends Json = Json> {
  readonly name: string
  /** The options a site author may give: checked at start, described to the editor. */
  readonly options: ZodType<Options>
  /** The value of a field that is not filled in. `newId` is for containers, which have an `_id` from the start. */
  blank(options: Options, newId: () => string): Value | null
  /**
   * Outside value → clean value. Reports problems, never throws. Idempotent.
   * `before` is the stored value that is being replaced, when there is one.
   */
  read(input: unknown, options: Options, reading: Reading, before?: Value | null): Value | null
  /** The value as a person would read it; without `names`, what it refers to is shown by ids. */
  toText(value: Value, options: Options, names?: TextNames): string
  /** The shape of the value, for OpenAPI and the editor. */
  jsonSchema(options: Options, use: SchemaUse): JsonSchema

  /** Checks what the schema of the options cannot; reports one message for each mistake, with the option's path. */
  check?(options: Options, report: (path: string, message: string) => void): void
  /** Compiles the declared children of containers, and what depends on the site, once, at start. */
  compile?(options: Options, compiler: FieldCompiler): Options
  /** Containers: the fields declared in them (areas: those of their widgets, which are declared by themselves). */
  innerFields?(options: Options): Fields
  /** Containers: the holders of fields inside this value. */
  children?(value: Value, options: Options): readonly Holder[]
  /** Containers: parts of the value that the site no longer allows: they are stored, but not shown. */
  strays?(value: Value, options: Options): Iterable<JsonObject>
  /** Containers with strays: the value without the items with these ids. */
  without?(value: Value, ids: ReadonlySet<string>): Value
  /**
   * The options without those that limit which values are stored: filters read values with them, since nothing is
   * stored. Without it, the options as they are.
   */
  unlimited?(options: Options): Options
  /** Returns the values that lists filter and sort by. */
  index?(value: Value, options: Options): Iterable<IndexValue>
  /**
   * Lists the differences between two values (§2.5), null for none; properties equal on both sides are ignored. Where
   * that takes more than milliseconds, null between two steps lets other requests run.
   */
  diff?(older: Value | null, newer: Value | null, options: Options): Iterable<Difference | null>
  /** The documents and attachments that this value refers to. */
  references?(value: Value, options: Options): Iterable<Reference>
  /** The aposDocIds of documents that a text names; they may be of any type, and need not be there. */
  links?(value: Value): Iterable<string>
  /** Returns the text that full text search finds the document by. */
  searchText?(value: Value, options: Options): string
  /** The values to choose from. */
  choices?(options: Options): readonly Choice[]
  /** True when nothing was filled in; without it `null`, `''` and `[]` are empty. */
  isEmpty?(value: Value): boolean
  /** How the value lies in its holder, when that is not simply under the field's name. */
  readonly property?: FieldProperty<Value>
  /** `hashed`: replaced by its hash before it is stored, never shown, never in a version. */
  readonly secret?: 'hashed'
  /** `computed`: nothing is stored; present fills it in (relationshipReverse). */
  readonly computed?: true
  /** The control has no room for a placeholder: its value is neither typed nor chosen from a menu. */
  readonly hasNoPlaceholder?: true
  /** The value is a text that people write and translate (§4.5): plain, or HTML. */
  readonly translated?: 'text' | 'html'
  /** The numbers of its index are in the order of its values: lists filter by bounds. So are those of numbers. */
  readonly isOrdered?: true
  /** The value is a day, or a moment. */
  readonly isDate?: boolean
  /** The value is a list: `min` is how many items it has at least, unless it has none. */
  readonly countsItems?: true
  /** Set when each value is a single text, number or boolean: lists can then sort by it. */
  scalar?(options: Options): 'text' | 'number' | 'boolean'
  /** The value refers to other documents (option `withType`): those it names, or those that name this one. */
  readonly relation?: 'forward' | 'reverse'
  /** The value names an uploaded file. */
  readonly file?: true
  /** How styles use the value (§4.7); types without it cannot be styles. */
  readonly style?: 'sides' | 'number' | 'text' | 'color' | 'choice' | 'switch' | 'parts' | 'image'
  /** Areas set the options of such a field for the widgets that they allow (rich text). */
  readonly setByAreas?: true
}

/** Where a value lies in the object that holds it (a relationship's ids, for example). */
export interface FieldProperty<Value extends Json> {
  /** The outside value among the given properties; undefined when none of its properties is there. */
  given(holder: { readonly [name: string]: unknown }, field: string): unknown
  /** The stored value. */
  stored(holder: JsonObject, field: string): Value | null
  /** The properties to store. */
  store(value: Value | null, field: string): JsonObject
  /** The names of those properties. */
  names(field: string): readonly string[]
  /** Their shapes, for OpenAPI; all but the one under the field's own name. */
  jsonSchemas(field: string, label: string): { readonly [name: string]: JsonSchema }
}

/** The options of a JSON Schema. */
export interface SchemaUse {
  /** A value as it is answered, or as a body may give it. */
  readonly side: 'answer' | 'body'
  /** Whether the reader of the description may know of the field. */
  shows(field: Field): boolean
  /** The name of the component with the shape of a widget in an area; null where areas are answered as HTML. */
  readonly widget: ((name: string) => string) | null
  /** The shape of the documents that a relationship leads to. */
  related(field: Field): JsonSchema
  /** Relationships below are filled in: false in documents that are themselves related. */
  readonly isFilled: boolean
  /** A request may leave out any field, at any depth (§4.1). */
  readonly isNarrowed?: true
}

/** A field as compiled at start: data and its type. */
export interface Field {
  /** As declared: `title`, `_topics`. */
  readonly name: string
  readonly type: FieldType
  /** Compiled options of the type. */
  readonly options: object
  readonly label: string
  readonly help: string | null
  /** The text that an empty control shows. */
  readonly placeholder: string | null
  readonly required: boolean
  /** Undefined: the blank value. */
  readonly def: Json | undefined
  readonly if: FieldCondition | null
  /** The role needed to see all fields that `if` names; null: none beyond seeing this one. */
  readonly ifRole: Role | null
  readonly readOnly: boolean
  /** No two documents of the type have the same value, without regard to case; only fields of the document itself. */
  readonly unique: boolean
  /** Of a field inside of another: lists can be filtered by it. Fields of the document itself always are, if they have an index. */
  readonly filterable: boolean
  /** The role needed to see it; null: none beyond seeing the document. */
  readonly viewRole: Role | null
  /** The role needed to change it; null: none beyond changing the document. */
  readonly editRole: Role | null
}

/** The fields of a piece, a page, a widget, an object or an array item, in schema order. */
export interface Fields {
  readonly list: readonly Field[]
  readonly byName: ReadonlyMap<string, Field>
  /** How the editor shows them; none when left out. */
  readonly groups?: readonly FieldGroup[]
}

/** Fields that the editor shows together: a tab; among styles of a site also a section in one. */
export interface FieldGroup {
  readonly name: string
  readonly label: string
  /** Names of fields. */
  readonly fields: readonly string[]
  readonly groups: readonly FieldGroup[]
}

/** A field is relevant while each named neighbour has the value (or one of the values) given; `$or`: one of several. */
export interface FieldCondition {
  readonly [name: string]: Json | readonly FieldCondition[]
}

/** An object inside a document that has fields: the document itself, an object, an array item, a widget. */
export interface Holder {
  /** Its step in a path: the item's `_id`; empty for an object field. */
  readonly step: string
  readonly values: JsonObject
  readonly fields: Fields
}

/** A difference between two values of a field. */
export type Difference = ValueDifference | PartDifference | OrderDifference

/** A single value that may differ: the field's own, or one inside of it. */
export interface ValueDifference {
  readonly of: 'value'
  /** `leaf` unless it says otherwise. */
  readonly kind?: 'leaf' | 'richText' | 'relationship'
  /** The steps that lead from the field to the value. */
  readonly below?: readonly Segment[]
  /** Null for none. */
  readonly old: Json
  readonly new: Json
  /** Without them `toText` of the field's type makes them. */
  readonly oldText?: string
  readonly newText?: string
}

/**
 * A part with fields, which are compared where both sides have it; else it was added or deleted as a whole. The fields of
 * a relationship (`related`) are given for documents that both sides have.
 */
export interface PartDifference {
  readonly of: 'part'
  readonly kind: 'object' | 'arrayItem' | 'widget' | 'related'
  readonly older: Part | null
  readonly newer: Part | null
}

/** A part of a value, on one side. */
export interface Part {
  /** Null for an object, which is reached by its field alone. */
  readonly segment: PartSegment | null
  readonly holder: JsonObject
  /** Null for widgets that are not allowed here. */
  readonly fields: Fields | null
}

/** The parts that both sides have, in the order of each. */
export interface OrderDifference {
  readonly of: 'order'
  readonly kind: 'area' | 'array'
  readonly old: readonly Part[]
  readonly new: readonly Part[]
}

/** The operations that a field type may use while it reads a value. Implemented in `schema.ts`. */
export interface Reading {
  /** Reports what is wrong with the value now being read; `step` names a part of it (`3`, an `_id`, `top`). */
  problem(message: string, name?: Problem['name'], step?: string): void
  /** A new id, for array items, widgets, areas and objects that have none. */
  newId(): string
  /** True when a version is restored: parts that are no longer allowed are left out, and not reported. */
  readonly leavesOut: boolean
  /** True when a draft that may be incomplete is read: lists may have fewer items than their `min`. */
  readonly takesFew: boolean
  /** The value stored here in the copy that the request names, when its input is read for the other copy; else null. */
  readonly named: Json
  /** Reads the values of a holder one level down (containers only). Reports by itself when nested too deeply. */
  holder(
    fields: Fields,
    input: { readonly [name: string]: unknown },
    step: string,
    before?: JsonObject | null,
  ): JsonObject
  /** Finds the item (or the widget of a type) with this id and these fields elsewhere in the stored document. */
  storedElsewhere(id: string, fields: Fields, type?: string): JsonObject | null
  /** A document or attachment that the value names and that must exist: the engine looks, and reports at this path. */
  mustExist(reference: Reference): void
  /** A stored document that the value leaves out: it stays unless its writer was shown it. The engine looks. */
  staysUnseen(reference: Reference): void
  /** Whether the writer must not learn of a stored document. */
  isUnseen(reference: DocumentReference): boolean
}

/** The operations that containers, and options that depend on the site, need at start. */
export interface FieldCompiler {
  /** The hosts that pictures in rich text may come from, in addition to relative addresses. */
  readonly imageHosts: readonly string[]
  /** Compiles a set of declared fields; mistakes are reported under `path`. */
  fields(declared: unknown, path: string): Fields
  /** The widget type of that name (prefix `@cms` replaced), with its options for one area; reports when unknown. */
  widget(name: string, options: object, path: string): WidgetUse | null
  /** These names with the site's own prefix in place of `@cms`, and all types of pages in place of `@cms/any-page`. */
  typeNames(names: readonly string[]): string[]
}

/** A widget type as one area allows it. Its fields are filled in when all types are known: read them late. */
export interface WidgetUse {
  readonly name: string
  readonly label: string
  readonly fields: Fields
  readonly options: object
}
