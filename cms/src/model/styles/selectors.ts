import type { Report } from '../terms/configuration-error.ts'
import { quoted, selectorMistake, splitSelectors } from './css-safety.ts'
import { attached } from './sheet.ts'
import type { CssOptions } from './style-options.ts'

/** The context of a style field's selectors. */
interface SelectorScope {
  /** The selectors of the object that the field lies in; null for none. */
  readonly parent: readonly string[] | null
  readonly isOfSite: boolean
}

/** The selectors of a style field, one by one and below those of its object. */
export function compileSelectors(css: CssOptions, { parent, isOfSite }: SelectorScope, report: Report): string[] {
  const given = css.selector === undefined ? [] : [css.selector].flat().flatMap(splitSelectors)
  // In a widget the gap belongs to its wrapper, which is no root element.
  const own = css.layoutGapDefault && !isOfSite ? given.filter((one) => one !== ':root') : given
  const isNested = !isOfSite || (parent !== null && parent.length > 0)
  for (const one of own) {
    const mistake = selectorMistake(one, { isNested })
    if (mistake !== null) report('selector', mistake.includes('"') ? mistake : `${quoted(one)}: ${mistake}`)
  }
  if (parent === null || parent.length === 0) return own
  if (own.length === 0) return [...parent]
  return parent.flatMap((above) => own.map((one) => attached(above, one)))
}
