import { isObject } from '../../base/json.ts'
import type { DefaultStyles, Preset, Presets } from '../declared/preset.ts'
import { LAYOUT_GAP, PRESET_BACKGROUND } from './css-names.ts'

/** Presets that can be added to until they are sealed. */
export class PresetRegistry implements Presets {
  readonly #presets: Map<string, Preset>
  readonly #unused = new Set<string>()
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
    this.#presets.set(name, copyOf(name, preset))
    this.#unused.add(name)
  }

  getPreset(name: string): Preset | undefined {
    const preset = this.#presets.get(name)
    return preset && structuredClone(preset)
  }

  hasPreset(name: string): boolean {
    return this.#presets.has(name)
  }

  /** The preset of that name for a style field. */
  use(name: string): Preset | undefined {
    this.#unused.delete(name)
    return this.getPreset(name)
  }

  /** The site's own presets that no style field uses. */
  unused(): readonly string[] {
    return [...this.#unused]
  }

  /** The names of all presets. */
  names(): Iterable<string> {
    return this.#presets.keys()
  }

  /** Makes `setPreset` throw from now on. */
  seal(): void {
    this.#isOpen = false
  }
}

function copyOf(name: string, preset: Preset): Preset {
  try {
    return structuredClone(preset)
  } catch {
    throw new TypeError(`The preset "${name}" must be plain values, without functions.`)
  }
}

const ACTIVE = { active: true }

/** Returns the built-in presets, without labels: each use is labelled by its own name. */
function builtInPresets({ borderColor, shadowColor }: DefaultStyles): { readonly [name: string]: Preset } {
  return {
    width: { type: 'range', min: 0, max: 100, step: 10, def: 100, property: 'width', unit: '%' },
    alignment: {
      type: 'select',
      class: true,
      choices: [
        { value: 'apos-left', label: 'Left' },
        { value: 'apos-center', label: 'Center' },
        { value: 'apos-right', label: 'Right' },
      ],
    },
    padding: { type: 'box', property: 'padding', unit: 'px' },
    margin: { type: 'box', property: 'margin', unit: 'px' },
    border: border(borderColor),
    boxShadow: boxShadow(shadowColor),
    background: BACKGROUND,
    layoutGap: {
      type: 'range',
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
