import { z } from 'zod'
import { didYouMean } from '../../base/did-you-mean.ts'
import { isObject } from '../../base/json.ts'
import type { DefaultStyles, Presets } from '../declared/preset.ts'
import type { FieldGroup } from '../field-type/field-type.ts'
import type { Report } from '../terms/configuration-error.ts'
import { labelOf } from '../terms/property-labels.ts'

const textOrList = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], 'must be text, or a list of texts')

/** The options of style fields beyond those of every field (§2.8). */
export const CSS_OPTIONS = z.strictObject({
  selector: textOrList.optional(),
  property: textOrList.optional(),
  class: z.union([z.boolean(), z.string().min(1)], 'must be true, or the name of a class').default(false),
  unit: z.string().default(''),
  valueTemplate: z.string().min(1).optional(),
  mediaQuery: z.string().min(1).optional(),
  /** Only presets have it. */
  customType: z.literal('background').optional(),
  /** Only presets have it. */
  layoutGapDefault: z.literal(true).optional(),
})

/** The options of `CSS_OPTIONS`, read. */
export type CssOptions = z.infer<typeof CSS_OPTIONS>

/** A group of style fields as declared: a tab, or a section of one. */
export interface DeclaredGroup {
  readonly label?: string | undefined
  readonly fields?: readonly string[] | undefined
  readonly group?: { readonly [name: string]: DeclaredGroup } | undefined
}

const GROUP: z.ZodType<DeclaredGroup> = z.strictObject({
  label: z.string().min(1).optional(),
  fields: z.array(z.string()).optional(),
  get group() {
    return z.record(z.string(), GROUP).optional()
  },
})

const DECLARED_FIELDS = z.custom<{ readonly [name: string]: unknown }>(
  isObject,
  'must be an object: style fields by name',
)

/** The style fields of a widget type: `{ add }`. */
export const WIDGET_STYLES = z.strictObject({ add: DECLARED_FIELDS })

const GROUPS = z.record(z.string(), GROUP).default({})

const DEFAULTS: DefaultStyles = { borderColor: 'black', shadowColor: 'gray' }

/** An optional function of the site. */
const callable = <Callable>() =>
  z.custom<Callable>((value) => typeof value === 'function', 'must be a function').optional()

/** The style fields of a site, and what it says of styles as a whole (§4.7). */
export const SITE_STYLES = z.strictObject({
  add: DECLARED_FIELDS.optional(),
  group: GROUPS,
  /** `styles` in its older form. */
  fields: z.strictObject({ add: DECLARED_FIELDS, group: GROUPS }).optional(),
  defaultStyles: z
    .strictObject({
      borderColor: z.string().default(DEFAULTS.borderColor),
      shadowColor: z.string().default(DEFAULTS.shadowColor),
    })
    .default(DEFAULTS),
  serverRendered: z.boolean().default(false),
  registerPresets: callable<(presets: Presets) => void>(),
  getStylesheet: callable<(document: never, ctx: never) => unknown>(),
})

/** The options of `SITE_STYLES`, read. */
export type CheckedSiteStyles = z.infer<typeof SITE_STYLES>

type Groups = { readonly [name: string]: DeclaredGroup }

/** Tabs, and sections in them (§2.8): each field is in one of them at most. */
export function compileGroups(declared: Groups, names: ReadonlySet<string>, report: Report): FieldGroup[] {
  const taken = new Map<string, string>()
  const compile = (groups: Groups, path: string, level: number): FieldGroup[] =>
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
