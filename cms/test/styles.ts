import {
  checkUnusedPresets,
  compilePresets,
  compileSiteStyles,
  compileWidgetStyles,
} from '../src/model/compile/compile-styles.ts'
import type { FieldScope } from '../src/model/compile/field-scope.ts'
import type { StyleFields } from '../src/model/declared/types.ts'
import type { Fields } from '../src/model/field-type/field-type.ts'
import { NO_FIELDS } from '../src/model/field-type/options.ts'
import type { Stylesheet } from '../src/model/styles/sheet.ts'
import { type CheckedSiteStyles, SITE_STYLES } from '../src/model/styles/style-options.ts'
import { toCss } from '../src/model/styles/to-css.ts'
import { readAll } from './fields.ts'

interface Compiled {
  readonly styles: StyleFields
  /** `styles.add.tint.property: is missing…` */
  readonly mistakes: readonly string[]
}

/** Compiles the styles of a site, as far as they have mistakes with these. */
export function siteStyles(declared: object): Compiled {
  const read = SITE_STYLES.parse(declared)
  return compiled(read, (scope) => compileSiteStyles(read, scope))
}

/** Compiles the styles of a widget type at `styles`. */
export function widgetStyles(declared: unknown, site: object = {}, otherFields: Fields = NO_FIELDS): Compiled {
  return compiled(SITE_STYLES.parse(site), (scope) =>
    compileWidgetStyles(declared, { path: 'styles', otherFields }, scope),
  )
}

function compiled(
  site: CheckedSiteStyles,
  compile: (scope: Parameters<typeof compileSiteStyles>[1]) => StyleFields,
): Compiled {
  const mistakes: string[] = []
  const later: (() => void)[] = []
  const report = (path: string, message: string) => mistakes.push(`${path}: ${message}`)
  const scope: FieldScope = {
    fieldTypes: new Map(),
    typeNames: new Set(['@own/image']),
    pageTypes: [],
    widgets: new Map(),
    fileGroups: ['images'],
    imageHosts: [],
    report,
    fullName: (name) => name.replace(/^@cms\//, '@own/'),
    widget: () => undefined,
    hasLayoutGap: () => false,
    link: (work) => later.push(work),
    check: (work) => later.push(work),
  }
  const all = { ...scope, presets: compilePresets(site, report) }
  const styles = compile(all)
  checkUnusedPresets(all)
  for (const work of later) work()
  return { styles, mistakes }
}

/** Reads values as from outside, and makes CSS of them. Throws when the styles or the values have mistakes. */
export function cssOf(
  { styles, mistakes }: Compiled,
  values: object,
  options?: Parameters<typeof toCss>[2],
): Stylesheet {
  const read = readAll(styles.fields, { ...values })
  const problems = read.problems.map(({ path, message }) => `${path}: ${message}`)
  if (mistakes.length + problems.length > 0) throw new Error([...mistakes, ...problems].join('\n'))
  return toCss(styles, read.values, options)
}

/** The problems of values from outside: `fam: This is not…`. */
export function problemsOf({ styles }: Compiled, values: object): string[] {
  return readAll(styles.fields, { ...values }).problems.map(({ path, message }) => `${path}: ${message}`)
}
