import type { JsonObject } from '../../base/json.ts'
import type { StyleFields } from '../declared/types.ts'

export type { StyleFields, StyleGroup, StyleRule } from '../declared/types.ts'

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
