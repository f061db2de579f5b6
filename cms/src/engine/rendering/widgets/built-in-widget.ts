import type { Html } from '../../../base/html.ts'
import type { JsonObject } from '../../../base/json.ts'
import type { LinkTargets } from '../../../model/values/rich-text-links.ts'
import type { Scene } from '../../context.ts'
import type { Embed } from '../../embed.ts'

/** What was loaded for the built-in widgets of an answer. */
export interface LoadedForWidgets {
  readonly links: LinkTargets
  /** What addresses of other sites show, by address. */
  readonly embeds: ReadonlyMap<string, Embed>
}

/** What a built-in widget is rendered with. */
export interface BuiltInScene extends Scene, LoadedForWidgets {
  /** What its area says of widgets of this type. */
  options(widget: object): object
  /** CSS of built-in widgets, where it is needed first. */
  style(css: string): Html
}

/** Renders widgets of one built-in type. */
export type RenderBuiltIn = (widget: JsonObject, scene: BuiltInScene) => Html
