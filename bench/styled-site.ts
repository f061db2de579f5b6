import { defineSite, html, type JsonObject, page, widget } from '../cms/src/index.ts'

const color = { type: 'color' } as const
const sides = { top: 8, right: 16, bottom: 8, left: 16 }
const border = {
  active: true,
  width: { top: 1, right: 2, bottom: 3, left: 4 },
  radius: 8,
  color: '#223344',
  style: 'solid',
}
const shadow = { active: true, x: 2, y: 3, blur: 8, color: '#00000055' }
const gradient = { enabled: true, backgroundType: 'gradient', gradientStart: '#123456', gradientEnd: '#abcdef' }

/** Sixty fields of every kind, as a site has them, with their values. */
const FIELDS: readonly { readonly add: (selector: string) => object; readonly value: unknown }[] = [
  ...several(20, (at) => ({
    add: (selector: string) => ({ ...color, selector, property: `--color-${at}` }),
    value: `#${String(at).padStart(6, '0')}`,
  })),
  ...several(16, (at) => ({
    add: (selector: string) => ({ type: 'range', min: 0, max: 99, unit: 'px', selector, property: `--size-${at}` }),
    value: at,
  })),
  ...several(8, () => ({ add: (selector: string) => ({ preset: 'padding', selector }), value: sides })),
  ...several(6, () => ({
    add: (selector: string) => ({ type: 'string', selector, property: 'font-family' }),
    value: '"Old Face", Georgia, serif',
  })),
  ...several(4, () => ({ add: (selector: string) => ({ preset: 'border', selector }), value: border })),
  ...several(3, () => ({ add: (selector: string) => ({ preset: 'boxShadow', selector }), value: shadow })),
  ...several(3, () => ({ add: (selector: string) => ({ preset: 'background', selector }), value: gradient })),
]

function several<One>(count: number, one: (at: number) => One): One[] {
  return Array.from({ length: count }, (_, at) => one(at))
}

const named = <Value>(value: (at: number) => Value) =>
  Object.fromEntries(FIELDS.map((_, at) => [`style${at}`, value(at)]))

/** The values of the site's sixty fields. */
export const siteValues: JsonObject = JSON.parse(JSON.stringify(named((at) => FIELDS[at]?.value)))

/** Widgets of a type without styles, and of one with five: none set, two, or all. */
export const widgetStylings = ['plain', 'no values', 'two values', 'all values'] as const
export type WidgetStyling = (typeof widgetStylings)[number]

/** The type and style values of one widget. */
export function stylingOf(styling: WidgetStyling, at: number): JsonObject {
  const padding = { top: at, right: 8, bottom: at, left: 8 }
  const background = { enabled: true, backgroundType: 'color', color: '#f0f1f2' }
  if (styling === 'plain') return { type: 'card' }
  if (styling === 'no values') return { type: 'styled-card' }
  if (styling === 'two values') return { type: 'styled-card', padding, background }
  return {
    type: 'styled-card',
    padding,
    background: gradient,
    border,
    alignment: 'apos-center',
    headingColor: '#102030',
  }
}

const fields = { add: { heading: { type: 'string' }, words: { type: 'string' } } } as const
const styles = {
  add: {
    alignment: 'alignment',
    padding: 'padding',
    background: 'background',
    border: 'border',
    headingColor: { ...color, selector: 'h3', property: 'color' },
  },
} as const

const render = ({ heading, words }: { readonly heading: string; readonly words: string }) =>
  html`<section><h3>${heading}</h3><p>${words}</p></section>`

const card = widget('card', { fields, render })
const styledCard = widget('styled-card', { fields, styles, render })

const landing = page('landing', {
  fields: { add: { main: { type: 'area', widgets: { card: {}, 'styled-card': {} } } } },
  render: ({ page }, scene) => html`<h1>${page.title}</h1>${scene.area(page.main)}`,
})

/** Pages of widgets with and without styles, on a site with sixty styles of its own. */
export const site = defineSite({
  name: 'Styles',
  types: [landing],
  widgets: [card, styledCard],
  // `as`: fields are put together here.
  styles: { add: named((at) => FIELDS[at]?.add(`.part-${at}`)) as never },
})
