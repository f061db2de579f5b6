import { type StyleCase, sides } from './style-case.ts'

/** The image that backgrounds name. */
export interface CaseImage {
  readonly _id: string
  readonly url: string
}

/** Every preset with every field of it (§2.9). The elements are in a frame of 1,000 pixels. */
export function presetCases({ _id, url }: CaseImage): StyleCase[] {
  const plain = { 'background-color': 'rgba(0, 0, 0, 0)', 'background-image': 'none' }
  const image = { 'background-position': '50% 50%', 'background-size': 'cover', 'background-repeat': 'no-repeat' }
  const layers = {
    'background-position': '20% 75%, 20% 75%',
    'background-size': 'cover, cover',
    'background-repeat': 'no-repeat, no-repeat',
  }
  const ofImage = { enabled: true, backgroundType: 'image', _image: [{ _id }] }
  const focal = { ...ofImage, _image: [{ _id, _fields: { x: 20, y: 75 } }] }
  const mixed = 'color(srgb 1 0 0.533333 / 0.35)'
  const overlay = { overlay: true, overlayColor: '#ff0088', overlayOpacity: 35 }
  const ofGradient = { enabled: true, backgroundType: 'gradient', gradientStart: '#123456', gradientEnd: '#fedcba80' }
  const gradient = 'rgb(18, 52, 86), rgba(254, 220, 186, 0.5))'
  return [
    {
      name: 'preset-width',
      add: { presetWidth: { preset: 'width' } },
      values: { presetWidth: 40 },
      expected: { '': { width: '400px' } },
    },
    {
      name: 'preset-padding',
      add: { presetPadding: { preset: 'padding' } },
      values: { presetPadding: sides(1, 2, 3, 4) },
      expected: { '': { padding: '1px 2px 3px 4px' } },
    },
    {
      name: 'preset-padding-equal',
      add: { presetPaddingEqual: { preset: 'padding' } },
      values: { presetPaddingEqual: sides(7, 7, 7, 7) },
      expected: { '': { padding: '7px' } },
    },
    {
      name: 'preset-margin',
      add: { presetMargin: { preset: 'margin' } },
      values: { presetMargin: sides(-1, null, 5, 0) },
      expected: { '': { margin: '-1px 0px 5px' } },
    },
    {
      name: 'preset-margin-equal',
      add: { presetMarginEqual: { preset: 'margin' } },
      values: { presetMarginEqual: sides(6, 6, 6, 6) },
      expected: { '': { margin: '6px' } },
    },
    {
      name: 'preset-border',
      add: { presetBorder: { preset: 'border' } },
      values: {
        presetBorder: { active: true, width: sides(1, 2, 3, 4), radius: 12, color: '#0a8c2e', style: 'dashed' },
      },
      expected: {
        '': {
          'border-width': '1px 2px 3px 4px',
          'border-radius': '12px',
          'border-color': 'rgb(10, 140, 46)',
          'border-style': 'dashed',
        },
      },
    },
    {
      name: 'preset-border-equal',
      add: { presetBorderEqual: { preset: 'border' } },
      values: { presetBorderEqual: { active: true, width: sides(5, 5, 5, 5), style: 'dotted' } },
      expected: {
        '': { 'border-width': '5px', 'border-color': 'rgb(0, 0, 0)', 'border-style': 'dotted', 'border-radius': '0px' },
      },
    },
    {
      name: 'preset-border-off',
      add: { presetBorderOff: { preset: 'border' } },
      values: { presetBorderOff: { active: false, width: sides(5, 5, 5, 5), radius: 9, style: 'solid' } },
      expected: { '': { 'border-width': '0px', 'border-style': 'none', 'border-radius': '0px' } },
    },
    {
      name: 'preset-shadow',
      add: { presetShadow: { preset: 'boxShadow' } },
      values: { presetShadow: { active: true, x: -3, y: 5, blur: 7, color: '#11223380' } },
      expected: { '': { 'box-shadow': 'rgba(17, 34, 51, 0.5) -3px 5px 7px 0px' } },
    },
    {
      name: 'preset-shadow-defaults',
      add: { presetShadowDefaults: { preset: 'boxShadow' } },
      values: { presetShadowDefaults: { active: true } },
      expected: { '': { 'box-shadow': 'rgb(128, 128, 128) 4px 4px 2px 0px' } },
    },
    {
      name: 'preset-shadow-off',
      add: { presetShadowOff: { preset: 'boxShadow' } },
      values: { presetShadowOff: { active: false, x: 9 } },
      expected: { '': { 'box-shadow': 'none' } },
    },
    {
      name: 'preset-background-color',
      add: { presetBackgroundColor: { preset: 'background' } },
      values: { presetBackgroundColor: { enabled: true, backgroundType: 'color', color: 'hsl(120 100% 25% / 0.5)' } },
      expected: { '': { 'background-color': 'rgba(0, 128, 0, 0.5)', 'background-image': 'none' } },
    },
    {
      name: 'preset-background-gradient',
      add: { presetBackgroundGradient: { preset: 'background' } },
      values: { presetBackgroundGradient: { ...ofGradient, gradientAngle: 45, color: '#ffffff' } },
      expected: {
        '': { 'background-color': 'rgba(0, 0, 0, 0)', 'background-image': `linear-gradient(45deg, ${gradient}` },
      },
    },
    {
      name: 'preset-background-gradient-defaults',
      add: { presetBackgroundGradientDefaults: { preset: 'background' } },
      values: { presetBackgroundGradientDefaults: { enabled: true, backgroundType: 'gradient' } },
      expected: { '': { 'background-image': 'linear-gradient(rgb(0, 0, 0), rgb(255, 255, 255))' } },
    },
    {
      name: 'preset-background-image',
      add: { presetBackgroundImage: { preset: 'background' } },
      values: { presetBackgroundImage: { ...ofImage, ...overlay, overlay: false } },
      expected: { '': { ...image, 'background-image': `url("${url}")` } },
    },
    {
      name: 'preset-background-overlay',
      add: { presetBackgroundOverlay: { preset: 'background' } },
      values: { presetBackgroundOverlay: { ...focal, ...overlay } },
      expected: {
        '': {
          ...layers,
          'background-image': `linear-gradient(${mixed}, ${mixed}), url("${url}")`,
        },
      },
    },
    {
      name: 'preset-background-off',
      add: { presetBackgroundOff: { preset: 'background' } },
      values: { presetBackgroundOff: { ...focal, ...overlay, enabled: false } },
      expected: { '': plain },
    },
    {
      name: 'preset-background-property',
      add: { presetBackgroundProperty: { preset: 'background', property: 'background' } },
      values: { presetBackgroundProperty: { ...focal, ...overlay } },
      expected: {
        '': {
          ...layers,
          'background-image': `linear-gradient(${mixed}, ${mixed}), url("${url}")`,
        },
      },
    },
    {
      name: 'preset-background-variable',
      add: {
        presetBackgroundVariable: { preset: 'background', property: '--hero' },
        heroPlace: { type: 'string', selector: 'b', property: 'background' },
      },
      values: { presetBackgroundVariable: { ...ofGradient, gradientAngle: 90 }, heroPlace: 'var(--hero)' },
      expected: { b: { 'background-image': `linear-gradient(90deg, ${gradient}` } },
    },
  ]
}
