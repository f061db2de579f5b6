import type { JsonObject } from '../../base/json.ts'
import type { Field, Fields } from '../fields/field-type.ts'

/** The style fields of a site or of a widget type, compiled: what they hold, and the CSS that it becomes (§4.7). */
export interface StyleFields {
  /** Compiled like any other fields; free texts among them take only CSS values. */
  readonly fields: Fields
  /** One for each of the fields, in their order. */
  readonly rules: readonly StyleRule[]
  /** Tabs of the editor; empty for widgets. */
  readonly groups: readonly StyleGroup[]
}

/** What the value of one style field becomes. */
export interface StyleRule {
  readonly field: Field
  /** Complete selectors as declared, without commas; none: the wrapper of a widget, the body of a site. */
  readonly selectors: readonly string[]
  /** None for fields that are classes, parts of a template, or conditions of others. */
  readonly properties: readonly string[]
  /** `px`; empty for none. */
  readonly unit: string
  readonly valueTemplate: string | null
  /** `(max-width: 600px)` */
  readonly mediaQuery: string | null
  /** `true`: its values are classes; a text: the class that it gives while it is true. */
  readonly class: true | string | null
  /** `background`: several fields that together are a background (§2.9). */
  readonly customType: 'background' | null
  /** The gap of all layout widgets (§2.9 layoutGap). */
  readonly layoutGapDefault: boolean
  /** The fields of an object. */
  readonly inner: readonly StyleRule[]
}

/** A tab or a section of the editor. */
export interface StyleGroup {
  readonly name: string
  readonly label: string
  /** Names of fields. */
  readonly fields: readonly string[]
  readonly groups: readonly StyleGroup[]
}

/** What style values become. The same values give the same texts. */
export interface Stylesheet {
  /** Rules; empty for none. */
  readonly css: string
  /** Declarations for the `style` attribute of a widget's wrapper; empty for sites. */
  readonly inline: string
  /** Classes of the body, or of a widget's wrapper. */
  readonly classes: readonly string[]
}

/** What CSS is made for. */
export interface StylesheetOptions {
  /** Of a widget: what selects its wrapper, `#id`. Without it the values are those of the site. */
  readonly rootSelector?: string
  /** The URL of an image, with its crop if there is one; null for one that is gone or not to be seen. */
  imageUrl?(image: StyleImage): string | null
}

/** An image that style values name. */
export interface StyleImage {
  /** Its `aposDocId`. */
  readonly docId: string
  /** Crop and focal point. */
  readonly fields: JsonObject
}

/** Of a site or widget type without styles. */
export const NO_STYLES: StyleFields = { fields: { list: [], byName: new Map() }, rules: [], groups: [] }
