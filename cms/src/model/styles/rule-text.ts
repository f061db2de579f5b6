import type { Json, JsonObject } from '../../base/json.ts'
import { isObject, own } from '../../base/json.ts'
import { conditionHolds, storedValue } from '../walk.ts'
import { isVariable, siteValueMistake, valueMistake } from './css-safety.ts'
import type { StyleRule, StylesheetOptions } from './style-fields.ts'

/** What the values of rules are read from. */
export interface ValueScope {
  /** The object that holds the values. */
  readonly holder: JsonObject
  readonly imageUrl: StylesheetOptions['imageUrl']
}

/** True when the conditions of a rule's field hold. */
export function isRelevant({ field }: StyleRule, { holder }: ValueScope): boolean {
  return field.if === null || conditionHolds(field.if, holder)
}

/** The value of a rule as it stands in a declaration, within its template; null for none, and for one that is unsafe. */
export function declarationText(rule: StyleRule, scope: ValueScope): string | null {
  const text = rule.inner.length > 0 ? composedText(rule, scope) : filledTemplate(rule, plainText(rule, scope))
  return text === null || siteValueMistake(text) !== null ? null : text
}

/**
 * A declaration for each side of a box that has a value, or one for all sides when they are equal, or when the property
 * has none of its own for each.
 */
export function boxDeclarations(rule: StyleRule, property: string, scope: ValueScope): [string, string][] {
  const value = storedValue(rule.field, scope.holder)
  if (!isObject(value)) return []
  const texts = SIDES.map((side) => filledTemplate(rule, withUnit(value[side] ?? null, rule.unit)))
  const [first = null] = texts
  const shorthand = shorthandOf(property)
  if (first !== null && shorthand !== null && texts.every((text) => text === first)) return [[shorthand, first]]
  const ofSide = propertyOfSide(property)
  if (ofSide === null) {
    return texts.every((text) => text === null) ? [] : [[property, texts.map((text) => text ?? '0').join(' ')]]
  }
  return SIDES.flatMap((side, index): [string, string][] => {
    const text = texts[index] ?? null
    return text === null ? [] : [[ofSide.replace('%key%', side), text]]
  })
}

/** The property of all sides; null where each is set by itself, as with `--gap-%key%`. */
function shorthandOf(property: string): string | null {
  if (!property.includes('%key%')) return property
  return property.startsWith('--') ? null : property.replace(/-?%key%/, '').replace(/^-/, '') || null
}

/** The property of one side, with `%key%` for its name; null for a property without one. */
function propertyOfSide(property: string): string | null {
  if (property.includes('%key%')) return property
  if (property === 'inset') return '%key%'
  if (property === 'border-width') return 'border-%key%-width'
  return /^(?:scroll-)?(?:margin|padding)$|^border$/.test(property) ? `${property}-%key%` : null
}

const SIDES = ['top', 'right', 'bottom', 'left'] as const

/** The template of an object, filled with the values of its fields; null when one that it names has none. */
function composedText({ valueTemplate, inner }: StyleRule, scope: ValueScope): string | null {
  let isWhole = true
  const text = (valueTemplate ?? '').replace(PLACEHOLDER, (_, name: string) => {
    const rule = inner.find(({ field }) => field.name === name)
    const part = rule && isRelevant(rule, scope) ? plainText(rule, scope) : null
    if (part === null) isWhole = false
    return part ?? ''
  })
  return isWhole && text !== '' ? text : null
}

/** What templates put values in place of: `%VALUE%`, `%x%`. */
export const PLACEHOLDER = /%([\p{L}_][\p{L}\p{N}_-]*)%/gu

function filledTemplate({ valueTemplate }: StyleRule, text: string | null): string | null {
  return text === null || valueTemplate === null ? text : valueTemplate.replace(PLACEHOLDER, () => text)
}

/** The value of a rule with its unit; null for none. */
export function plainText(rule: StyleRule, scope: ValueScope): string | null {
  const { field, unit } = rule
  const value = storedValue(field, scope.holder)
  if (field.type.style === 'image') return imageText(value, scope)
  // A value may be older than its declaration as a style.
  if (field.type.style === 'text' && (typeof value !== 'string' || valueMistake(value) !== null)) return null
  if (field.type.style === 'sides') return boxText(value, unit)
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((one) => withUnit(one, unit)).join(' ')
  return withUnit(value, unit)
}

function withUnit(value: Json, unit: string): string | null {
  if (typeof value === 'number') return `${value}${unit}`
  if (typeof value !== 'string' || value === '') return null
  if (isVariable(value)) return `var(${value})`
  return unit !== '' && /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(value) ? `${value}${unit}` : value
}

function boxText(value: Json, unit: string): string | null {
  if (!isObject(value) || SIDES.every((side) => typeof value[side] !== 'number')) return null
  return SIDES.map((side) => withUnit(value[side] ?? 0, unit)).join(' ')
}

/** `url("…")` of the first related image. */
export function imageText(value: Json, { imageUrl }: ValueScope): string | null {
  const image = relatedImage(value)
  const url = image && imageUrl?.(image)
  return url ? `url("${encodeForCss(url)}")` : null
}

/** The first image of a relationship's value. */
export function relatedImage(value: Json): { docId: string; fields: JsonObject } | null {
  if (!isObject(value) || !Array.isArray(value.ids)) return null
  const [docId] = value.ids
  if (typeof docId !== 'string') return null
  const fields = isObject(value.fields) ? own(value.fields, docId) : undefined
  return { docId, fields: isObject(fields) ? fields : {} }
}

/** A URL as it may stand between double quotes: what would end them is encoded. */
function encodeForCss(url: string): string {
  return url.replace(/["'\\()<>\s\p{Cc}\p{Cs}]/gu, (character) => {
    const code = character.charCodeAt(0)
    if (code >= 0x80) return encodeURIComponent(character.toWellFormed())
    return `%${code.toString(16).toUpperCase().padStart(2, '0')}`
  })
}
