import type { Json } from '../../base/json.ts'
import type { Choice, FieldCondition } from '../field-type/field-type.ts'
import type { Role } from '../terms/roles.ts'
import type { Tool } from '../values/clean-rich-text.ts'

/** What every field may say, whatever its type (§2.16). */
export interface CommonOptions {
  /** Default: the name in words, `headingColor` → "Heading color". */
  readonly label?: string
  readonly help?: string
  readonly required?: boolean
  /** The value of a new document that does not name the field. */
  readonly def?: unknown
  /** The field counts only while its neighbours have these values. */
  readonly if?: FieldCondition
  readonly readOnly?: boolean
  /** No two documents of the type, in one locale, have the same value; case does not count. Not inside other fields. */
  readonly unique?: boolean
  /** The role needed to see the field. */
  readonly viewPermission?: Role
  /** The role needed to change the field. */
  readonly editPermission?: Role
}

/** Bounds of a number, a length or an amount, both included. */
interface Bounds {
  readonly min?: number
  readonly max?: number
}

interface TextBounds {
  /** As the value is written: `2026-01-31`, `08:00`. */
  readonly min?: string
  readonly max?: string
}

interface Numeric extends Bounds {
  /** Shown behind the number: `px`, `%`. */
  readonly unit?: string
}

interface Choices {
  /** A plain text is its own label. */
  readonly choices: readonly (Choice | string)[]
}

/** Fields and how the editor groups them, as declared in types, widgets, objects and arrays. */
export interface DeclaredFieldSet {
  readonly add: DeclaredFields
  readonly group?: DeclaredGroups
}

/** Groups of the editor, by name, each with its fields. */
interface DeclaredGroups {
  readonly [name: string]: { readonly label?: string; readonly fields: readonly string[] }
}

/** Fields by name, in schema order. */
export interface DeclaredFields {
  readonly [name: string]: DeclaredField
}

interface WithFields {
  readonly fields: DeclaredFieldSet
}

/** What a rich text may hold: names of tools and the block styles to choose from. */
interface RichTextOptions {
  readonly toolbar?: readonly Tool[]
  readonly styles?: readonly { readonly tag: string; readonly label?: string; readonly class?: string }[]
}

/** The widget types an area allows, each with its options there. */
export interface AreaWidgets {
  readonly [name: string]: object
}

/** The options of a field that points to documents. */
export interface RelationshipOptions {
  /** The name of a type of the site, or of a built-in one such as `@cms/image`. */
  readonly withType: string
  readonly min?: number
  readonly max?: number
  /** Values of the relationship itself, one set for each related document. */
  readonly fields?: DeclaredFieldSet
  /** Which fields of the related documents are sent. */
  readonly builders?: { readonly project?: { readonly [name: string]: 0 | 1 | boolean } }
  /** Relationships of the related documents that are filled in too. */
  readonly withRelationships?: boolean | readonly string[]
}

/** The built-in field types: what each may say besides the common options. */
export interface FieldOptions {
  readonly string: Bounds & { readonly pattern?: string; readonly textarea?: boolean }
  readonly slug: Bounds & { readonly following?: string | readonly string[] }
  readonly integer: Numeric
  readonly float: Numeric
  readonly boolean: object
  readonly select: Choices
  readonly radio: Choices
  readonly checkboxes: Choices & Bounds
  readonly range: { readonly min: number; readonly max: number; readonly step?: number; readonly unit?: string }
  readonly color: object
  readonly box: Numeric
  readonly date: TextBounds
  readonly time: TextBounds
  readonly dateAndTime: TextBounds
  readonly url: Bounds
  readonly email: Bounds
  readonly password: Bounds
  readonly attachment: { readonly fileGroup?: string; readonly accepts?: readonly string[] }
  readonly relationship: RelationshipOptions
  readonly relationshipReverse: {
    readonly withType: string
    /** The relationship of the other type that is followed back: `_topics`. */
    readonly reverseOf: string
    readonly max?: number
    readonly builders?: RelationshipOptions['builders']
    readonly withRelationships?: RelationshipOptions['withRelationships']
  }
  readonly object: WithFields
  readonly array: WithFields & Bounds & { readonly titleField?: string; readonly inline?: boolean }
  readonly area: Bounds & { readonly widgets: AreaWidgets }
  readonly oembed: object
  readonly richText: RichTextOptions
}

declare const ownValue: unique symbol

/** The name of a site's own field type. Only `field` makes one, so that misspelt built-in names do not pass. */
export type OwnTypeName<Value extends Json = Json> = string & { readonly [ownValue]: Value }

/** A field of a site's own type, made by `field`. */
export interface OwnField<Value extends Json = Json> extends CommonOptions {
  readonly type: OwnTypeName<Value>
}

/** A field as a site author writes it: data. */
export type DeclaredField =
  | {
      readonly [Name in keyof FieldOptions]: { readonly type: Name } & CommonOptions & FieldOptions[Name]
    }[keyof FieldOptions]
  | OwnField
