import type { Html } from '../base/html.ts'
import { isObject } from '../base/json.ts'

/** The CSS of a widget's own styles (§4.7). */
export interface WidgetStyles {
  /** Rules for a style element. */
  readonly css: string
  readonly classes: readonly string[]
  /** Declarations for a `style` attribute. */
  readonly inline: string
  /** The id of the element that has them; empty for widget types without styles. */
  readonly styleId: string
  readonly widgetId: string
}

/** Attributes merged with those of an element's styles; lists are joined: `class: ['card', isWide && 'wide']`. */
export type OwnAttributes = { readonly [name: string]: OwnAttribute | readonly OwnAttribute[] }

/** The value of an attribute; true for one without a value. */
export type OwnAttribute = string | number | boolean | null | undefined

/** Places the styles of widgets whose types say `stylesWrapper: false` (§4.7). */
export interface SceneStyles {
  render(widget: object): WidgetStyles
  /** The style element; nothing where the attributes hold all. */
  elements(styles: WidgetStyles): Html
  /**
   * Attributes for the element that has the styles: `<article${scene.styles.attributes(styles, { class: 'card' })}>`.
   * `class` and `style` are merged, other attributes are added.
   */
  attributes(styles: WidgetStyles, own?: OwnAttributes): Html
  attributes(
    styles: WidgetStyles,
    own: OwnAttributes | undefined,
    options: { readonly asObject: true },
  ): AttributesObject
}

/** Attributes by name. */
export type AttributesObject = { [name: string]: string }

/** An area as answers hold it. */
export interface AreaInAnswer {
  readonly metaType: 'area'
  readonly items?: readonly object[]
}

/** True for areas as answers hold them. */
export function isArea(value: unknown): value is AreaInAnswer {
  return isObject(value) && value.metaType === 'area'
}

/** How an area is rendered. */
export interface AreaRendering {
  /** How wide its images are shown, as the attribute `sizes` says it: `(min-width: 60rem) 30rem, 100vw`. */
  readonly sizes?: string
}
