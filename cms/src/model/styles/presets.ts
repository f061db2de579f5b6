import { isObject, own } from '../../base/json.ts'
import { LAYOUT_GAP, PRESET_BACKGROUND } from './css-names.ts'
import type { DefaultStyles, Preset, Presets } from './preset.ts'

/** Presets that can be added to until they are sealed. */
export class PresetRegistry implements Presets {
  readonly #presets: Map<string, Preset>
  #isOpen = true

  constructor(defaults: DefaultStyles) {
    this.#presets = new Map(Object.entries(builtInPresets(defaults)))
  }

  setPreset(name: string, preset: Preset): void {
    if (!this.#isOpen) throw new Error(`setPreset("${name}") works only inside registerPresets.`)
    if (typeof name !== 'string' || name === '') throw new TypeError('A preset needs a name.')
    if (!isObject(preset) || typeof preset.type !== 'string') {
      throw new TypeError(`The preset "${name}" must be an object with a type.`)
    }
    if ('preset' in preset)
      throw new TypeError(`The preset "${name}" cannot be made of another: copy it by getPreset().`)
    this.#presets.set(name, structuredClone(preset))
  }

  getPreset(name: string): Preset | undefined {
    const preset = this.#presets.get(name)
    return preset && structuredClone(preset)
  }

  hasPreset(name: string): boolean {
    return this.#presets.has(name)
  }

  /** The names of all presets. */
  names(): Iterable<string> {
    return this.#presets.keys()
  }

  /** From now on `setPreset` throws. */
  seal(): void {
    this.#isOpen = false
  }
}

/** The basic colour names of CSS: colour fields take no names. */
const NAMED_COLORS: { readonly [name: string]: string } = {
  black: '#000000',
  gray: '#808080',
  grey: '#808080',
  silver: '#c0c0c0',
  white: '#ffffff',
  red: '#ff0000',
  maroon: '#800000',
  yellow: '#ffff00',
  olive: '#808000',
  lime: '#00ff00',
  green: '#008000',
  aqua: '#00ffff',
  teal: '#008080',
  blue: '#0000ff',
  navy: '#000080',
  fuchsia: '#ff00ff',
  purple: '#800080',
}

/** A default colour as colour fields take it. */
export function colorOf(text: string): string {
  return own(NAMED_COLORS, text.toLowerCase()) ?? text
}

const ACTIVE = { active: true }

function builtInPresets({ borderColor, shadowColor }: DefaultStyles): { readonly [name: string]: Preset } {
  return {
    width: { type: 'range', label: 'Width', min: 0, max: 100, step: 10, def: 100, property: 'width', unit: '%' },
    alignment: {
      type: 'select',
      label: 'Alignment',
      class: true,
      choices: [
        { value: 'apos-left', label: 'Left' },
        { value: 'apos-center', label: 'Center' },
        { value: 'apos-right', label: 'Right' },
      ],
    },
    padding: { type: 'box', label: 'Padding', property: 'padding', unit: 'px' },
    margin: { type: 'box', label: 'Margin', property: 'margin', unit: 'px' },
    border: border(colorOf(borderColor)),
    boxShadow: boxShadow(colorOf(shadowColor)),
    background: BACKGROUND,
    layoutGap: {
      type: 'range',
      label: 'Layout gap',
      min: 0,
      max: 64,
      def: 24,
      unit: 'px',
      selector: ':root',
      property: LAYOUT_GAP,
      layoutGapDefault: true,
    },
  }
}

function border(color: string): Preset {
  const width = { top: 1, right: 1, bottom: 1, left: 1 }
  return {
    type: 'object',
    label: 'Border',
    fields: {
      add: {
        active: { type: 'boolean', label: 'Border', def: false },
        width: { type: 'box', unit: 'px', def: width, property: 'border-%key%-width', if: ACTIVE },
        radius: { type: 'range', min: 0, max: 32, def: 0, unit: 'px', property: 'border-radius', if: ACTIVE },
        color: { type: 'color', def: color, property: 'border-color', if: ACTIVE },
        style: {
          type: 'select',
          choices: [
            { value: 'solid', label: 'Solid' },
            { value: 'dotted', label: 'Dotted' },
            { value: 'dashed', label: 'Dashed' },
          ],
          def: 'solid',
          property: 'border-style',
          if: ACTIVE,
        },
      },
    },
  }
}

function boxShadow(color: string): Preset {
  const offset = { type: 'range', min: -32, max: 32, def: 4, unit: 'px', if: ACTIVE }
  return {
    type: 'object',
    label: 'Shadow',
    property: 'box-shadow',
    valueTemplate: '%x% %y% %blur% %color%',
    fields: {
      add: {
        active: { type: 'boolean', label: 'Shadow', def: false },
        x: { ...offset, label: 'Horizontal offset' },
        y: { ...offset, label: 'Vertical offset' },
        blur: { type: 'range', min: 0, max: 32, def: 2, unit: 'px', if: ACTIVE },
        color: { type: 'color', def: color, if: ACTIVE },
      },
    },
  }
}

function of(backgroundType: string): { readonly if: object } {
  return { if: { enabled: true, backgroundType } }
}

const OVERLAY = { if: { enabled: true, backgroundType: 'image', overlay: true } }

const BACKGROUND: Preset = {
  type: 'object',
  label: 'Background',
  customType: 'background',
  property: PRESET_BACKGROUND,
  fields: {
    add: {
      enabled: { type: 'boolean', label: 'Background', def: false },
      backgroundType: {
        type: 'select',
        label: 'Kind',
        choices: [
          { value: 'color', label: 'Color' },
          { value: 'gradient', label: 'Gradient' },
          { value: 'image', label: 'Image' },
        ],
        def: 'color',
        if: { enabled: true },
      },
      color: { type: 'color', ...of('color') },
      gradientStart: { type: 'color', label: 'Start', def: '#000000', ...of('gradient') },
      gradientEnd: { type: 'color', label: 'End', def: '#ffffff', ...of('gradient') },
      gradientAngle: {
        type: 'range',
        label: 'Angle',
        min: 0,
        max: 360,
        step: 5,
        def: 180,
        unit: 'deg',
        ...of('gradient'),
      },
      _image: { type: 'relationship', withType: '@cms/image', max: 1, ...of('image') },
      overlay: { type: 'boolean', def: false, ...of('image') },
      overlayColor: { type: 'color', def: '#000000', ...OVERLAY },
      overlayOpacity: { type: 'range', min: 0, max: 100, def: 50, unit: '%', ...OVERLAY },
    },
  },
}
