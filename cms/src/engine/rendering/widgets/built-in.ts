import type { Html } from '../../../base/html.ts'
import type { JsonObject } from '../../../base/json.ts'
import type { LinkTargets } from '../../../model/rich-text-links.ts'
import type { Scene } from '../../context.ts'
import type { Embeds } from '../load-embeds.ts'

/** What was loaded for the built-in widgets of an answer. */
export interface LoadedForWidgets {
  readonly links: LinkTargets
  readonly embeds: Embeds
}

/** What a built-in widget is drawn with. */
export interface BuiltInScene extends Scene, LoadedForWidgets {
  /** What its area says of widgets of this type. */
  options(widget: object): object
  /** CSS of built-in widgets, where it is needed first. */
  style(css: string): Html
}

/** Draws widgets of one built-in type. */
export type DrawBuiltIn = (widget: JsonObject, scene: BuiltInScene) => Html
