import { box, color, range, type StyleCase, sides } from './style-case.ts'

/** What every kind of value of a style field becomes (§2.8). */
export const VALUE_CASES: readonly StyleCase[] = [
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
]
