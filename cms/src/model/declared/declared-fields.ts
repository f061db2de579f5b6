import type { Json } from '../../base/json.ts'
import type { Choice } from '../field-type/value-terms.ts'
import type { Tool } from '../terms/rich-text-tools.ts'
import type { Role } from '../terms/roles.ts'

/** A neighbour has the value, or one of the values, that stands under its name; `$or`: one of several. */
interface DeclaredCondition {
  readonly [name: string]: Json | readonly DeclaredCondition[]
}

/** The options of every field, whatever its type (§2.16). */
export interface CommonOptions {
  /** Default: the name in words, `headingColor` → "Heading color". */
  readonly label?: string
  readonly help?: string
  readonly required?: boolean
  /** The value of a new document that does not name the field. */
  readonly def?: unknown
  /** The field counts only while its neighbours have these values. */
  readonly if?: DeclaredCondition
  readonly readOnly?: boolean
  /** No two documents of the type, in one locale, have the same value; case does not count. Not inside other fields. */
  readonly unique?: boolean
  /** Lists can be filtered by this field inside of another: `address.city`, `body.quote.author`. */
  readonly filterable?: boolean
  /** The role needed to see the field. */
  readonly viewPermission?: Role
  /** The role needed to change the field. */
  readonly editPermission?: Role
}

/** The text that an empty control shows. */
export interface Placeholder {
  readonly placeholder?: string
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

/** The declared fields of what declares none. */
export type NoFields = Record<never, never>

interface WithFields {
  readonly fields: DeclaredFieldSet
}

/** The tools and block styles of a rich text. */
interface RichTextOptions {
  readonly toolbar?: readonly Tool[]
  readonly styles?: readonly { readonly tag: string; readonly label?: string; readonly class?: string }[]
}

/** The widget types an area allows, each with its options there. */
export interface AreaWidgets {
  readonly [name: string]: object
}

/** The options of a field that points to documents. */
interface RelationshipOptions {
  /**
   * The name of a type of the site, or of a built-in one such as `@cms/image`; `@cms/any-page` for all types of pages.
   * Or a list of names.
   */
  readonly withType: string | readonly string[]
  readonly min?: number
  readonly max?: number
  /** Values of the relationship itself, one set for each related document. */
  readonly fields?: DeclaredFieldSet
  /** The fields of the related documents to send. */
  readonly builders?: { readonly project?: { readonly [name: string]: 0 | 1 | boolean } }
  /** Relationships of the related documents that are filled in too. */
  readonly withRelationships?: boolean | readonly string[]
}

/** The options of each built-in field type, in addition to the common ones. */
export interface FieldOptions {
  readonly string: Placeholder & Bounds & { readonly pattern?: string; readonly textarea?: boolean }
  readonly slug: Placeholder & Bounds & { readonly following?: string | readonly string[] }
  readonly integer: Placeholder & Numeric
  readonly float: Placeholder & Numeric
  readonly boolean: object
  readonly select: Placeholder & Choices
  readonly radio: Choices
  readonly checkboxes: Choices & Bounds
  readonly range: { readonly min: number; readonly max: number; readonly step?: number; readonly unit?: string }
  readonly color: Placeholder
  readonly box: Numeric
  readonly date: Placeholder & TextBounds
  readonly time: Placeholder & TextBounds
  readonly dateAndTime: Placeholder & TextBounds
  readonly url: Placeholder & Bounds
  readonly email: Placeholder & Bounds
  readonly password: Placeholder & Bounds
  readonly attachment: Placeholder & { readonly fileGroup?: string; readonly accepts?: readonly string[] }
  readonly relationship: Placeholder & RelationshipOptions
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
  readonly area: Placeholder & Bounds & { readonly widgets: AreaWidgets }
  readonly oembed: Placeholder
  readonly richText: Placeholder & RichTextOptions
}

/** The name of a site's own field type. Only `field` makes one, so that misspelt built-in names do not pass. */
export type OwnTypeName<Value extends Json = Json> = string & { readonly ownValue: Value }

/** A field of a site's own type, made by `field`. */
export interface OwnField<Value extends Json = Json> extends CommonOptions, Placeholder {
  readonly type: OwnTypeName<Value>
}

/** A field as a site author writes it: data. */
export type DeclaredField =
  | {
      readonly [Name in keyof FieldOptions]: { readonly type: Name } & CommonOptions & FieldOptions[Name]
    }[keyof FieldOptions]
  | OwnField
