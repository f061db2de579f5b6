import type { Json } from '../../base/json.ts'
import type { BuiltInPreset } from './declared-styles.ts'
import type { BoxValue, Plain, ValueOf } from './infer.ts'
import type { ShownImage } from './page-data-types.ts'

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

/** The value of a preset; those of a site's own presets are known only at start. */
type PresetValue<Name> = Name extends BuiltInPreset ? PresetValues[Name] : Json

type StyleValue<Style> = Style extends string
  ? PresetValue<Style>
  : Style extends { readonly preset: infer Name }
    ? Style extends { readonly choices: object }
      ? ValueOf<Style & { readonly type: 'select' }>
      : PresetValue<Name>
    : Style extends { readonly type: 'object'; readonly fields: { readonly add: infer Add } }
      ? Plain<ObjectValue & StyleValues<Add>>
      : ValueOf<Style>

/** The values of style fields, as templates have them. */
export type StyleValues<Styles> = { -readonly [Name in keyof Styles]: StyleValue<Styles[Name]> }
