import { didYouMean } from '../../base/did-you-mean.ts'
import type { JsonObject } from '../../base/json.ts'
import type { StyleFields, StyleGroup } from '../declared/types.ts'
import type { Report } from '../terms/configuration-error.ts'
import { labelOf } from '../terms/property-labels.ts'
import type { DeclaredGroup } from './style-options.ts'

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

type Groups = { readonly [name: string]: DeclaredGroup }

/** Tabs, and sections in them (§2.8): each field is in one of them at most. */
export function compileGroups(declared: Groups, names: ReadonlySet<string>, report: Report): StyleGroup[] {
  const taken = new Map<string, string>()
  const compile = (groups: Groups, path: string, level: number): StyleGroup[] =>
    Object.entries(groups).map(([name, { label, fields = [], group }]) => {
      const at = `${path}.${name}`
      for (const field of fields) {
        const other = taken.get(field)
        if (!names.has(field)) report(`${at}.fields`, `"${field}" is not a style field${didYouMean(field, names)}`)
        else if (other !== undefined) report(`${at}.fields`, `"${field}" is in the group "${other}" already`)
        taken.set(field, name)
      }
      if (group && level > 1)
        report(`${at}.group`, 'a group is a tab, a group in it a section; sections have no groups')
      return { name, label: label ?? labelOf(name), fields, groups: compile(group ?? {}, `${at}.group`, level + 1) }
    })
  return compile(declared, 'group', 1)
}
