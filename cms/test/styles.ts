import type { FieldScope } from '../src/model/compile-fields.ts'
import { compilePresets, compileSiteStyles, compileWidgetStyles } from '../src/model/styles/compile-styles.ts'
import type { StyleFields, Stylesheet, StylesheetOptions } from '../src/model/styles/style-fields.ts'
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
export function widgetStyles(declared: unknown, site: object = {}): Compiled {
  return compiled(SITE_STYLES.parse(site), (scope) => compileWidgetStyles(declared, 'styles', scope))
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
    widgets: new Map(),
    fileGroups: ['images'],
    report,
    fullName: (name) => name.replace(/^@cms\//, '@own/'),
    widget: () => undefined,
    link: (work) => later.push(work),
    check: (work) => later.push(work),
  }
  const styles = compile({ ...scope, presets: compilePresets(site, report) })
  for (const work of later) work()
  return { styles, mistakes }
}

/** Reads values as from outside, and makes CSS of them. Throws when the styles or the values have mistakes. */
export function cssOf({ styles, mistakes }: Compiled, values: object, options?: StylesheetOptions): Stylesheet {
  const read = readAll(styles.fields, { ...values })
  const problems = read.problems.map(({ path, message }) => `${path}: ${message}`)
  if (mistakes.length + problems.length > 0) throw new Error([...mistakes, ...problems].join('\n'))
  return toCss(styles, read.values, options)
}

/** The problems of values from outside: `fam: This is not…`. */
export function problemsOf({ styles }: Compiled, values: object): string[] {
  return readAll(styles.fields, { ...values }).problems.map(({ path, message }) => `${path}: ${message}`)
}

/** The global styles of the reference site (conformance). */
export const REFERENCE_STYLES = {
  add: {
    bodyColor: { type: 'color', selector: 'body', property: 'color', def: '#112233' },
    headSize: {
      type: 'range',
      selector: ['h1', 'h2'],
      property: 'font-size',
      min: 10,
      max: 80,
      unit: 'px',
      def: 32,
    },
    theme: { type: 'select', class: true, choices: ['theme-light', 'theme-dark'], def: 'theme-light' },
    wide: { type: 'boolean', class: 'is-wide' },
    pad: { preset: 'padding', selector: '.page' },
    mar: { preset: 'margin', selector: '.page', mediaQuery: '(max-width: 800px)' },
    cardBorder: { preset: 'border', selector: '.card' },
    cardShadow: { preset: 'boxShadow', selector: '.card' },
    heroBackground: { preset: 'background', selector: '.hero' },
    blockWidth: { preset: 'width', selector: '.block' },
    blockAlign: 'alignment',
    layoutGap: 'layoutGap',
    linkGroup: {
      type: 'object',
      selector: 'a',
      fields: {
        add: {
          normal: { type: 'color', property: 'color' },
          hover: { type: 'color', selector: ':hover', property: 'color' },
        },
      },
    },
    shadowText: {
      type: 'object',
      selector: 'h1',
      property: 'text-shadow',
      valueTemplate: '%x%px %y%px %c%',
      fields: {
        add: {
          x: { type: 'range', min: 0, max: 10, def: 1 },
          y: { type: 'range', min: 0, max: 10, def: 2 },
          c: { type: 'color', def: '#ff0000' },
        },
      },
    },
    fam: { type: 'string', selector: 'body', property: 'font-family' },
  },
} as const
