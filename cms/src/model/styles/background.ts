import type { Json, JsonObject } from '../../base/json.ts'
import type { StyleRule } from '../declared/types.ts'
import { storedValue } from '../values/walk.ts'
import { PRESET_BACKGROUND } from './css-names.ts'
import { imageText, isRelevant, plainText, relatedImage, type ValueScope } from './rule-text.ts'

/**
 * The declarations of a `background` (§2.9). With a property of the site's own (`background`, `--hero`) it is one
 * declaration with all that belongs to it.
 */
export function backgroundDeclarations(rule: StyleRule, property: string, scope: ValueScope): [string, string][] {
  const text = (name: string) => partText(rule, name, scope)
  const kind = text('backgroundType')
  if (kind === 'image') return imageDeclarations(rule, property, scope)
  const declarations = kind === 'gradient' ? gradientDeclarations(text) : colorDeclarations(text)
  if (property === PRESET_BACKGROUND || declarations.length === 0) return declarations
  return declarations.map(([, text]) => [property, text])
}

type TextOf = (name: string) => string | null

function colorDeclarations(text: TextOf): [string, string][] {
  const color = text('color')
  return color === null ? [] : [['background-color', color]]
}

function gradientDeclarations(text: TextOf): [string, string][] {
  const parts = [text('gradientAngle') ?? '180deg', text('gradientStart'), text('gradientEnd')]
  return parts.includes(null) ? [] : [['background', `linear-gradient(${parts.join(', ')})`]]
}

/** A picture, below an overlay where there is one. */
function imageDeclarations(rule: StyleRule, property: string, scope: ValueScope): [string, string][] {
  const image = rule.inner.find(({ field }) => field.type.style === 'image')
  if (!image || !isRelevant(image, scope)) return []
  const value = storedValue(image.field, scope.holder)
  const url = imageText(value, scope)
  if (url === null) return []
  const layers = [overlayText(rule, scope), url].filter((layer) => layer !== null)
  const position = positionOf(value)
  if (property !== PRESET_BACKGROUND) {
    return [[property, layers.map((layer) => `${layer} ${position} / cover no-repeat`).join(', ')]]
  }
  return [
    ['background-image', layers.join(', ')],
    ['background-position', position],
    ['background-size', 'cover'],
    ['background-repeat', 'no-repeat'],
  ]
}

/** A layer of one colour over the picture. */
function overlayText(rule: StyleRule, scope: ValueScope): string | null {
  const color = partText(rule, 'overlayColor', scope)
  const opacity = partText(rule, 'overlayOpacity', scope)
  if (color === null || opacity === null) return null
  const mixed = `color-mix(in srgb, ${color} ${opacity}, transparent)`
  return `linear-gradient(${mixed}, ${mixed})`
}

/** The focal point of the picture, where one is set. */
function positionOf(value: Json): string {
  const { x, y }: JsonObject = relatedImage(value)?.fields ?? {}
  return typeof x === 'number' && typeof y === 'number' ? `${x}% ${y}%` : 'center'
}

function partText(rule: StyleRule, name: string, scope: ValueScope): string | null {
  const part = rule.inner.find(({ field }) => field.name === name)
  return part && isRelevant(part, scope) ? plainText(part, scope) : null
}
