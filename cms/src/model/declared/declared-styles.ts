import type { JsonObject } from '../../base/json.ts'
import type { CommonOptions, FieldOptions } from './declared-fields.ts'
import type { DefaultStyles, Presets } from './preset.ts'

type OneOrMore = string | readonly string[]

/** The common options, but for those that styles cannot have: everybody sees the result. */
type StyleOptions = CommonOptions & { readonly viewPermission?: never }

type Plain<Type extends keyof FieldOptions> = Type extends unknown
  ? { readonly type: Type } & StyleOptions & FieldOptions[Type]
  : never

interface OfValue {
  /** `color`, `--accent`; of a box also with the side inside of it: `border-%key%-width`. */
  readonly property: OneOrMore
  readonly class?: false
  /** `calc(%VALUE% / 2)` */
  readonly valueTemplate?: string
  /** `(max-width: 600px)` */
  readonly mediaQuery?: string
}

interface OfClass {
  /** Classes belong to the body, or to the wrapper of a widget. */
  readonly selector?: OneOrMore
  readonly property?: never
}

/** A style field with one value, whose CSS is a declaration. */
type ValueStyle = OfValue &
  (
    | Plain<'color'>
    | (Plain<'box' | 'range' | 'string' | 'select' | 'checkboxes'> & {
        /** Put after numbers: `px`. */
        readonly unit?: string
      })
  )

/** A style field whose values are classes, or that gives one while it is true. */
type ClassStyle =
  | (OfClass & Plain<'select' | 'checkboxes'> & { readonly class: true })
  | (OfClass & Plain<'boolean'> & { readonly class?: string })

/** A part of a template: it needs no property of its own. */
type PartStyle = StyleOptions &
  (
    | Plain<'color' | 'boolean'>
    | (Plain<'box' | 'range' | 'string' | 'select' | 'checkboxes'> & { readonly unit?: string })
  )

interface OptionalSelector {
  readonly selector?: OneOrMore
}
interface RequiredSelector {
  readonly selector: OneOrMore
}

type InnerStyle<Target> = (ValueStyle & Target) | ClassStyle

/** Several style fields as one; none of them is an object or a preset. */
type ObjectStyle<Target> = StyleOptions & { readonly type: 'object'; readonly mediaQuery?: string } & (
    | (RequiredSelector & WithInner<OptionalSelector>)
    | ({ readonly selector?: never } & WithInner<Target>)
    | (Target & {
        readonly property: OneOrMore
        /** `%x%px %y%px %tone%` */
        readonly valueTemplate: string
        readonly fields: {
          readonly add: { readonly [name: string]: InnerWidgetStyle }
        }
      })
  )

interface WithInner<Target> {
  readonly property?: never
  readonly valueTemplate?: never
  readonly fields: { readonly add: { readonly [name: string]: InnerStyle<Target> } }
}

/** The names of the presets that every site has (§2.9). */
export type BuiltInPreset =
  | 'width'
  | 'alignment'
  | 'padding'
  | 'margin'
  | 'border'
  | 'boxShadow'
  | 'background'
  | 'layoutGap'

/** A preset by its name; a site's own are known at start only. */
type PresetName = BuiltInPreset | (string & Record<never, never>)

/** A use of a preset, with the options that it overrides. */
type PresetStyle = StyleOptions & {
  readonly preset: PresetName
  readonly type?: never
  readonly fields?: never
  readonly selector?: OneOrMore
  readonly unit?: string
  readonly valueTemplate?: string
  readonly mediaQuery?: string
  readonly min?: number
  readonly max?: number
  readonly step?: number
  readonly choices?: FieldOptions['select']['choices']
} & (
    | { readonly property?: OneOrMore; readonly class?: false }
    | { readonly property?: never; readonly class: true | string }
  )

type Style<Target> = (ValueStyle & Target) | ClassStyle | ObjectStyle<Target> | PresetStyle | PresetName

/** A style field of a widget type: without a selector it is for the wrapper of the widget. */
export type WidgetStyle = Style<OptionalSelector>
/** A style field of the site, which says what it is for. */
type SiteStyle = Style<RequiredSelector>

/** A field of an object among the style fields of a widget type. */
export type InnerWidgetStyle = (PartStyle & OptionalSelector) | InnerStyle<OptionalSelector>

/** Style fields of a widget type by name. */
export interface DeclaredWidgetStyles {
  readonly [name: string]: WidgetStyle
}

/** Sections of a tab, each with its fields. */
interface Section<Name extends string> {
  readonly label?: string
  readonly fields?: readonly Name[]
}

/** Tabs of the editor. */
interface Tabs<Name extends string> {
  readonly [tab: string]: Section<Name> & { readonly group?: { readonly [section: string]: Section<Name> } }
}

interface Cascade<Name extends string> {
  readonly add: { readonly [Key in Name]: SiteStyle }
  readonly group?: Tabs<NoInfer<Name>>
}

interface None {
  readonly add?: never
  readonly group?: never
}

/** The return type of functions that return nothing; unlike `void` alone, it refuses promises. */
type Nothing = ReturnType<Presets['setPreset']> | undefined

/** The styles of a site (§4.7): fields whose values become the stylesheet of all pages. */
export type SiteStylesOptions<Name extends string, Context> = {
  /** The default colours of built-in presets: black for borders, gray for shadows. */
  readonly defaultStyles?: Partial<DefaultStyles>
  /** `getStylesheet` also makes what editors see while they change styles. */
  readonly serverRendered?: boolean
  /** Adds presets, or replaces those that are built in: `presets.setPreset('glow', { type: 'range', … })`. */
  readonly registerPresets?: (presets: Presets) => Nothing
  /** Makes the stylesheet from the values, in place of the service. */
  readonly getStylesheet?: (document: Readonly<JsonObject>, ctx: Context) => MadeStylesheet | Promise<MadeStylesheet>
} & (
  | (Cascade<Name> & { readonly fields?: never })
  | (None & {
      /** The older form of `add` and `group`. */
      readonly fields: Cascade<Name>
    })
  | (None & { readonly fields?: never })
)

/** The CSS of all pages, and the classes of their bodies. */
interface MadeStylesheet {
  readonly css: string
  readonly classes: readonly string[]
}
