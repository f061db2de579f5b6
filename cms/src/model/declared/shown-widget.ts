import type { Json } from '../../base/json.ts'
import type { BuiltInPreset } from './declared-styles.ts'
import type { BoxValue } from './infer.ts'
import type { ShownImage, ShownValue, ShownValues } from './shown.ts'

/** Shows a computed type as one plain object in the editor. */
type Plain<T> = { [Name in keyof T]: T[Name] }

interface ObjectValue {
  _id: string
  metaType: 'object'
}

/** The values of the built-in presets (§2.9), as templates have them. */
interface PresetValues {
  width: number | null
  alignment: 'apos-left' | 'apos-center' | 'apos-right' | null
  padding: BoxValue
  margin: BoxValue
  border: ObjectValue & {
    active: boolean
    width: BoxValue
    radius: number | null
    color: string | null
    style: 'solid' | 'dotted' | 'dashed' | null
  }
  boxShadow: ObjectValue & {
    active: boolean
    x: number | null
    y: number | null
    blur: number | null
    color: string | null
  }
  background: ObjectValue & {
    enabled: boolean
    backgroundType: 'color' | 'gradient' | 'image' | null
    color: string | null
    gradientStart: string | null
    gradientEnd: string | null
    gradientAngle: number | null
    imageIds: string[]
    _image: ShownImage[]
    overlay: boolean
    overlayColor: string | null
    overlayOpacity: number | null
  }
  layoutGap: number | null
}

/** What a site's own presets hold is known at start only. */
type PresetValue<Name> = Name extends BuiltInPreset ? PresetValues[Name] : Json

type StyleValue<Style> = Style extends string
  ? PresetValue<Style>
  : Style extends { readonly preset: infer Name }
    ? Style extends { readonly choices: object }
      ? ShownValue<Style & { readonly type: 'select' }>
      : PresetValue<Name>
    : Style extends { readonly type: 'object'; readonly fields: { readonly add: infer Add } }
      ? Plain<ObjectValue & StyleValues<Add>>
      : ShownValue<Style>

type StyleValues<Styles> = { -readonly [Name in keyof Styles]: StyleValue<Styles[Name]> }

/** A widget as templates have it: its fields, and its style fields. */
export type ShownWidget<Fields, Styles> = Plain<
  { _id: string; metaType: 'widget'; type: string } & ShownValues<Fields> & StyleValues<Styles>
>
