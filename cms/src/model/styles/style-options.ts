import { z } from 'zod'
import { isObject } from '../../base/json.ts'
import { callable } from '../declared/option-schemas.ts'
import type { DefaultStyles, Presets } from '../declared/preset.ts'

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
  registerPresets: callable<(presets: Presets) => void>().optional(),
  getStylesheet: callable<(document: never, ctx: never) => unknown>().optional(),
})

/** The options of `SITE_STYLES`, read. */
export type CheckedSiteStyles = z.infer<typeof SITE_STYLES>
