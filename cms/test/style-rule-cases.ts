import { color, range, type StyleCase, sides } from './style-case.ts'

/** Which screens and elements style fields are for, and when: media queries, conditions, selectors (§2.8). */
export const RULE_CASES: readonly StyleCase[] = [
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
