import type { StyleRule } from '../declared/types.ts'
import type { Report } from '../terms/configuration-error.ts'
import { quoted, selectorMistake, siteValueMistake, splitSelectors } from './css-safety.ts'
import type { CssOptions } from './style-options.ts'

/** The CSS of style values; equal values give equal texts. */
export interface Stylesheet {
  /** Rules; empty for none. */
  readonly css: string
  /** Declarations for the `style` attribute of a widget's wrapper; empty for sites. */
  readonly inline: string
  /** Classes of the body, or of a widget's wrapper. */
  readonly classes: readonly string[]
}

type Declarations = [property: string, text: string][]

/** Collects declarations: those with the same media query and selector become one rule, where its first one stood. */
export class Sheet {
  readonly #root: string | null
  /** By media query, or by none; then by selector. */
  readonly #rules = new Map<string, { media: string | null; bySelector: Map<string, Declarations> }>()
  readonly #inline: Declarations = []
  readonly #classes = new Set<string>()

  constructor(root: string | null) {
    this.#root = root
  }

  addClass(name: string): void {
    this.#classes.add(name)
  }

  /** Leaves out what may not stand in CSS: the last gate, which all texts pass. */
  add({ selectors, mediaQuery }: StyleRule, property: string, text: string): void {
    const root = this.#root
    if (siteValueMistake(text) !== null) return
    if (root === null) {
      for (const selector of orBody(selectors)) this.#addTo(mediaQuery, selector, [property, text])
    } else if (selectors.length === 0 && mediaQuery === null) {
      this.#inline.push([property, text])
    } else {
      for (const selector of orWrapper(selectors)) this.#addTo(mediaQuery, attached(root, selector), [property, text])
    }
  }

  /**
   * A `style` attribute would win over rules for the same element: where there are rules, its declarations are one, the first.
   */
  finish(): Stylesheet {
    const rules = [...this.#rules.values()].map(({ media, bySelector }) => {
      const css = [...bySelector].map(([selector, declarations]) => ruleText(selector, declarations)).join('')
      return media === null ? css : `@media ${media}{${css}}`
    })
    const own = this.#inline
    const isInline = rules.length === 0
    return {
      css: (isInline || own.length === 0 ? '' : ruleText(this.#root ?? '', own)) + rules.join(''),
      inline: isInline ? own.map(declarationText).join('') : '',
      classes: [...this.#classes],
    }
  }

  #addTo(media: string | null, selector: string, declaration: Declarations[number]): void {
    // Rules without a media query stand for themselves, so that media queries stay between them.
    const key = media === null ? `{${selector}` : media
    let block = this.#rules.get(key)
    if (!block) {
      block = { media, bySelector: new Map() }
      this.#rules.set(key, block)
    }
    const declarations = block.bySelector.get(selector)
    if (declarations) declarations.push(declaration)
    else block.bySelector.set(selector, [declaration])
  }
}

/** A selector below another: `:hover` and `&.wide` belong to the same element, others to those inside. */
export function attached(parent: string, selector: string): string {
  if (selector === '') return parent
  if (selector.startsWith('&')) return `${parent}${selector.slice(1)}`
  return selector.startsWith(':') ? `${parent}${selector}` : `${parent} ${selector}`
}

function orBody(selectors: readonly string[]): readonly string[] {
  return selectors.length === 0 ? ['body'] : selectors
}

function orWrapper(selectors: readonly string[]): readonly string[] {
  return selectors.length === 0 ? [''] : selectors
}

function ruleText(selector: string, declarations: Declarations): string {
  return `${selector}{${declarations.map(declarationText).join('')}}`
}

function declarationText([property, text]: Declarations[number]): string {
  return `${property}: ${text};`
}

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
