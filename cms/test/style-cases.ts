import type { JsonObject } from '../src/base/json.ts'

// What editors save, and what a browser is to compute from it. The same fields are tried as styles of the site, for the
// elements of a class of the case's name, and as those of a widget type of that name.

/** The widths of screens that pages are looked at with. */
export const WIDTHS = [500, 800, 1200] as const

/** Computed properties by selector below the styled element; '' is the element itself. */
interface Expected {
  readonly [selector: string]: { readonly [property: string]: string }
}

/** Some style fields, their values, and what becomes of them. */
export interface StyleCase {
  readonly name: string
  /** Without the selector of the styled element; with one for elements inside of it. Names differ between cases. */
  readonly add: { readonly [name: string]: JsonObject }
  readonly values: JsonObject
  readonly expected: Expected | ((width: number) => Expected)
}

/** The four sides of a box. */
export const sides = (
  top: number | null,
  right: number | null,
  bottom: number | null,
  left: number | null,
): JsonObject => ({
  top,
  right,
  bottom,
  left,
})

const range = { type: 'range', min: -500, max: 500 }
const box = { type: 'box' }
const color = { type: 'color' }

/** Everything that style fields can say (§2.8). */
export const FIELD_CASES: readonly StyleCase[] = [
  {
    name: 'colors',
    add: {
      colorShort: { ...color, property: 'color' },
      colorRgb: { ...color, property: 'background-color' },
      colorHsl: { ...color, property: 'outline-color' },
      colorNone: { ...color, property: 'text-decoration-color' },
      colorVariable: { ...color, property: ['column-rule-color', '--own'] },
      colorLong: { ...color, property: '--other' },
    },
    values: {
      colorShort: '#f80c',
      colorRgb: 'rgb(1, 2, 3)',
      colorHsl: 'hsl(240deg 100% 50%)',
      colorNone: 'transparent',
      colorVariable: '--other',
      colorLong: '#01020304',
    },
    expected: {
      '': {
        color: 'rgba(255, 136, 0, 0.8)',
        'background-color': 'rgb(1, 2, 3)',
        'outline-color': 'rgb(0, 0, 255)',
        'text-decoration-color': 'rgba(0, 0, 0, 0)',
        'column-rule-color': 'rgba(1, 2, 3, 0.016)',
        '--own': '#01020304',
      },
    },
  },
  {
    name: 'units',
    add: {
      unitRem: { ...range, unit: 'rem', property: 'font-size' },
      unitPixels: { ...range, unit: 'px', property: 'letter-spacing' },
      unitPercent: { ...range, unit: '%', property: 'text-indent' },
      unitDegrees: { ...range, unit: 'deg', property: 'rotate' },
      unitNone: { ...range, property: ['z-index', 'order'] },
      unitOfText: { type: 'string', unit: 'px', property: 'word-spacing' },
    },
    values: { unitRem: 1.5, unitPixels: -0.5, unitPercent: 12, unitDegrees: 30, unitNone: 3, unitOfText: '2' },
    expected: {
      '': {
        'font-size': '24px',
        'letter-spacing': '-0.5px',
        'text-indent': '12%',
        rotate: '30deg',
        'z-index': '3',
        order: '3',
        'word-spacing': '2px',
      },
    },
  },
  {
    name: 'texts',
    add: {
      textFamily: { type: 'string', property: 'font-family' },
      choiceWeight: { type: 'select', choices: [{ value: 300, label: 'Light' }], property: 'font-weight' },
      choiceCase: { type: 'select', choices: ['uppercase', 'none'], property: 'text-transform' },
      choiceLines: { type: 'checkboxes', choices: ['underline', 'overline'], property: 'text-decoration-line' },
    },
    values: {
      textFamily: '"Old Face", Georgia, serif',
      choiceWeight: 300,
      choiceCase: 'uppercase',
      choiceLines: ['underline', 'overline'],
    },
    expected: {
      '': {
        'font-family': '"Old Face", Georgia, serif',
        'font-weight': '300',
        'text-transform': 'uppercase',
        'text-decoration-line': 'underline overline',
      },
    },
  },
  {
    name: 'boxes',
    add: {
      boxKeyed: { ...box, unit: 'px', property: 'border-%key%-width' },
      boxLine: { type: 'select', choices: ['solid'], property: 'border-style' },
      boxScroll: { ...box, unit: 'rem', property: 'scroll-margin' },
      boxPlain: { ...box, unit: 'px', property: '%key%' },
    },
    values: {
      boxKeyed: sides(4, 3, 2, 1),
      boxLine: 'solid',
      boxScroll: sides(1, 0, 0.5, null),
      boxPlain: sides(1, 1, 1, 1),
    },
    expected: {
      '': { 'border-width': '4px 3px 2px 1px', 'scroll-margin': '16px 0px 8px', top: '1px', left: '1px' },
    },
  },
  {
    name: 'box-shorthands',
    add: {
      boxInset: { ...box, unit: 'px', property: 'inset', valueTemplate: 'max(3px, %VALUE%)' },
      boxBorders: { ...box, unit: 'px', property: 'border-width' },
      boxBorderLine: { type: 'select', choices: ['solid'], property: 'border-style' },
      boxCorners: { ...box, unit: 'px', property: 'border-radius' },
    },
    values: {
      boxInset: sides(9, 1, 2, null),
      boxBorders: sides(1, 2, 3, 4),
      boxBorderLine: 'solid',
      boxCorners: sides(1, 2, null, 4),
    },
    expected: {
      '': {
        top: '9px',
        right: '3px',
        bottom: '3px',
        left: 'auto',
        'border-width': '1px 2px 3px 4px',
        'border-radius': '1px 2px 0px 4px',
      },
    },
  },
  {
    name: 'box-variables',
    add: {
      boxVariables: { ...box, unit: 'px', property: '--gap-%key%' },
      boxVariable: { ...box, unit: 'px', property: '--all' },
      boxUse: { type: 'string', selector: 'b', property: 'margin' },
      boxAll: { type: 'string', selector: 'b', property: 'padding' },
      boxOther: { ...box, unit: 'px', property: '--other-sides' },
      boxOthers: { type: 'string', selector: 'b', property: 'scroll-padding' },
    },
    values: {
      boxVariables: sides(5, 5, 5, 5),
      boxVariable: sides(6, 6, 6, 6),
      boxUse: '0 var(--gap-left) var(--gap-bottom) 1px',
      boxAll: 'var(--all)',
      boxOther: sides(1, 2, 3, null),
      boxOthers: 'var(--other-sides)',
    },
    expected: { b: { margin: '0px 5px 5px 1px', padding: '6px', 'scroll-padding': '1px 2px 3px 0px' } },
  },
  {
    name: 'templates',
    add: {
      templateValue: { ...range, unit: 'px', property: 'height', valueTemplate: 'calc(%VALUE% * 2 + 1px)' },
      templateShadow: {
        type: 'object',
        property: 'text-shadow',
        valueTemplate: '%x%px %y% 0 %tone%, 0 0 1px %tone%',
        fields: { add: { x: range, y: { ...range, unit: 'px' }, tone: { ...color, def: '#00ff00' } } },
      },
      templatePartly: {
        type: 'object',
        property: 'box-shadow',
        valueTemplate: '%x%px 0 %missing%',
        fields: { add: { x: { ...range, def: 1 }, missing: color } },
      },
    },
    values: { templateValue: 20, templateShadow: { x: 1, y: -2 }, templatePartly: { x: 3 } },
    expected: {
      '': {
        height: '41px',
        'text-shadow': 'rgb(0, 255, 0) 1px -2px 0px, rgb(0, 255, 0) 0px 0px 1px',
        'box-shadow': 'none',
      },
    },
  },
  {
    name: 'screens',
    add: {
      screenAll: { ...range, unit: 'px', property: 'max-width' },
      screenSmall: { ...range, unit: 'px', property: 'max-width', mediaQuery: '(max-width: 600px)' },
      screenMiddle: {
        ...range,
        unit: 'px',
        property: 'max-width',
        mediaQuery: '(width > 600px) and (max-width: 1000px)',
      },
      screenBox: { preset: 'padding', mediaQuery: 'screen and (min-width: 1001px)' },
      screenObject: {
        type: 'object',
        mediaQuery: '(min-width: 700px)',
        fields: { add: { inside: { ...color, selector: 'b', property: 'color' } } },
      },
    },
    values: {
      screenAll: 300,
      screenSmall: 100,
      screenMiddle: 200,
      screenBox: sides(1, 2, 3, 4),
      screenObject: { inside: '#ff0000' },
    },
    expected: (width) => ({
      '': {
        'max-width': width <= 600 ? '100px' : width <= 1000 ? '200px' : '300px',
        padding: width > 1000 ? '1px 2px 3px 4px' : '0px',
      },
      b: { color: width >= 700 ? 'rgb(255, 0, 0)' : 'rgb(0, 0, 0)' },
    }),
  },
  {
    name: 'conditions',
    add: {
      switchOn: { type: 'boolean' },
      switchOff: { type: 'boolean' },
      kind: { type: 'select', class: true, choices: ['kind-one', 'kind-two'] },
      whileOn: { ...color, property: 'color', if: { switchOn: true } },
      whileOff: { ...color, property: 'background-color', if: { switchOff: true } },
      ofKind: { ...color, property: 'outline-color', if: { kind: 'kind-two' } },
      ofOther: { ...color, property: 'caret-color', if: { kind: 'kind-one' } },
      parts: {
        type: 'object',
        fields: {
          add: {
            shown: { type: 'boolean' },
            one: { ...range, unit: 'px', property: 'width', if: { shown: true } },
            other: { ...range, unit: 'px', property: 'height', if: { shown: false } },
          },
        },
      },
    },
    values: {
      switchOn: true,
      switchOff: false,
      kind: 'kind-two',
      whileOn: '#ff0000',
      whileOff: '#ff0000',
      ofKind: '#ff0000',
      ofOther: '#0000ff',
      parts: { shown: true, one: 12, other: 13 },
    },
    expected: {
      '': {
        color: 'rgb(255, 0, 0)',
        'background-color': 'rgba(0, 0, 0, 0)',
        'outline-color': 'rgb(255, 0, 0)',
        'caret-color': 'rgb(255, 0, 0)',
        width: '12px',
      },
    },
  },
  {
    name: 'nested',
    add: {
      nestedParts: {
        type: 'object',
        fields: {
          add: {
            own: { ...color, property: 'color' },
            deeper: { ...color, selector: ['i', 'u'], property: 'color' },
            first: { ...color, selector: 'b:first-child > i', property: 'background-color' },
            same: { ...range, unit: 'px', selector: '&:not(.nothing), &[data-nothing]', property: 'width' },
            state: { ...color, selector: ':not(.nothing)', property: 'outline-color' },
          },
        },
      },
      nestedBelow: {
        type: 'object',
        selector: 'b',
        property: 'box-shadow',
        valueTemplate: '%x%px 0 %tone%',
        fields: {
          add: {
            x: range,
            tone: color,
            padding: { ...range, unit: 'px', selector: 'i', property: 'padding' },
          },
        },
      },
    },
    values: {
      nestedParts: { own: '#110000', deeper: '#220000', first: '#330000', same: 66, state: '#440000' },
      nestedBelow: { x: 5, tone: '#550000', padding: 7 },
    },
    expected: {
      '': { color: 'rgb(17, 0, 0)', width: '66px', 'outline-color': 'rgb(68, 0, 0)' },
      b: { 'box-shadow': 'rgb(85, 0, 0) 5px 0px 0px 0px', padding: '0px' },
      i: { color: 'rgb(34, 0, 0)', 'background-color': 'rgb(51, 0, 0)', padding: '7px' },
    },
  },
]
