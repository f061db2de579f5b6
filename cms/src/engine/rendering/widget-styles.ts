import { attributes, escapeHtml, type Html, html, raw, safeDeclarations, styleText } from '../../base/html.ts'
import type { AttributesObject, OwnAttribute, OwnAttributes, WidgetStyles } from '../scene-parts.ts'

const NOTHING = html``

/** The style element of a widget, where it has styles that an attribute cannot hold (§4.7 getWidgetElements). */
export function getWidgetElements({ css, styleId, widgetId }: WidgetStyles): Html {
  if (css === '') return NOTHING
  const style = raw(styleText(css))
  return html`<style data-apos-widget-style-for="${widgetId}" data-apos-widget-style-id="${styleId}">${style}</style>`
}

/** HTML in an element that has the styles of its widget. */
export function inStyledElement(styles: WidgetStyles, rendered: Html): Html {
  const known = openings.get(styles)
  const opening = known ?? `${getWidgetElements(styles).text}<div${getWidgetAttributes(styles).text}>`
  if (known === undefined && Object.isFrozen(styles)) openings.set(styles, opening)
  return raw(`${opening}${rendered.text}</div>`)
}

/** The style elements before styled widgets, kept for repeated rendering. */
const openings = new WeakMap<WidgetStyles, string>()

/**
 * The attributes of the element that has a widget's styles (§4.7 getWidgetAttributes), as text for a template, or with
 * `asObject` by name: `class` and `style` of its own are merged, its other attributes are added.
 */
export function getWidgetAttributes(styles: WidgetStyles, own?: OwnAttributes): Html
export function getWidgetAttributes(
  styles: WidgetStyles,
  own: OwnAttributes | undefined,
  as: { asObject: true },
): AttributesObject
export function getWidgetAttributes(
  styles: WidgetStyles,
  own: OwnAttributes = {},
  { asObject = false }: { readonly asObject?: boolean } = {},
): Html | AttributesObject {
  const merged = mergedAttributes(styles, withoutLists(own))
  if (asObject) {
    return Object.fromEntries(
      Object.entries(merged).map(([name, value]) => [name, value === true ? '' : String(value)]),
    )
  }
  return raw(
    Object.entries(merged)
      .map(([name, value]) => attributeText(name, value))
      .join(''),
  )
}

/** The declarations of styles have been checked: they may say more than those of templates. */
function attributeText(name: string, value: OwnAttribute): string {
  return name === 'style' ? ` style="${escapeHtml(String(value))}"` : attributes({ [name]: value }).text
}

type Attributes = { readonly [name: string]: OwnAttribute }

function mergedAttributes({ classes, inline, styleId, widgetId }: WidgetStyles, own: Attributes): Attributes {
  const { class: ownClass, style: ownStyle, ...others } = own
  const names = [...textOf(ownClass).split(/\s+/), ...classes].filter((name) => name !== '')
  const style = [safeDeclarations(textOf(ownStyle)), inline].map(terminated).join('')
  const ids = {
    id: styleId,
    'data-apos-widget-style-wrapper-for': widgetId,
    'data-apos-widget-style-classes': classes.join(' '),
  }
  const all = {
    ...(styleId === '' ? {} : ids),
    ...(names.length === 0 ? {} : { class: [...new Set(names)].join(' ') }),
    ...(style === '' ? {} : { style }),
  }
  const isThere = ([, value]: [string, unknown]) => value !== null && value !== undefined && value !== false
  // The element keeps its id, whatever a template says.
  return Object.fromEntries(Object.entries({ ...all, ...others, ...all }).filter(isThere))
}

/** Lists become one text: of declarations, or of words. */
function withoutLists(own: OwnAttributes): Attributes {
  const entries = Object.entries(own).map(([name, value]): [string, OwnAttribute] => {
    if (!isList(value)) return [name, value]
    const texts = value.map(textOf).filter((text) => text !== '')
    return [name, name === 'style' ? texts.map(terminated).join('') : texts.join(' ')]
  })
  return Object.fromEntries(entries)
}

function isList(value: OwnAttributes[string]): value is readonly OwnAttribute[] {
  return Array.isArray(value)
}

/** Throws for an object without a text of its own. */
function textOf(value: OwnAttribute): string {
  if (value === null || value === undefined || typeof value === 'boolean') return ''
  const text = String(value)
  if (text === '[object Object]') throw new TypeError('An attribute must be text, or a list of texts.')
  return text.trim()
}

/** Declarations that others can follow. */
function terminated(declarations: string): string {
  return declarations === '' || declarations.endsWith(';') ? declarations : `${declarations};`
}
