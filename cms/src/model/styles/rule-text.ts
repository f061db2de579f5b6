import { isObject, type Json, type JsonObject, own } from '../../base/json.ts'
import type { StyleRule } from '../declared/types.ts'
import { conditionHolds, storedValue } from '../values/walk.ts'
import { isVariable } from './css-safety.ts'

/** An image that style values name. */
export interface StyleImage {
  /** Its `aposDocId`. */
  readonly docId: string
  /** Crop and focal point. */
  readonly fields: JsonObject
}

/** The object with the values, and the URLs of its images. */
export interface ValueScope {
  /** The object that holds the values. */
  readonly holder: JsonObject
  /** The URL of an image, with its crop if there is one; null for one that is gone or not to be seen. */
  readonly imageUrl: ((image: StyleImage) => string | null) | undefined
}

/** True when the conditions of a rule's field hold. */
export function isRelevant({ field }: StyleRule, { holder }: ValueScope): boolean {
  return field.if === null || conditionHolds(field.if, holder)
}

/** The value of a rule as it stands in a declaration, within its template; null for none. */
export function declarationText(rule: StyleRule, scope: ValueScope): string | null {
  return rule.inner.length > 0 ? composedText(rule, scope) : filledTemplate(rule, plainText(rule, scope))
}

/** The properties of CSS for all four sides, each with the one for a single side. */
const OF_SIDES: ReadonlyMap<string, string> = new Map([
  ['padding', 'padding-%key%'],
  ['margin', 'margin-%key%'],
  ['inset', '%key%'],
  ['scroll-margin', 'scroll-margin-%key%'],
  ['scroll-padding', 'scroll-padding-%key%'],
  ['border', 'border-%key%'],
  ['border-width', 'border-%key%-width'],
  ['border-style', 'border-%key%-style'],
  ['border-color', 'border-%key%-color'],
])

/** True when a property with `%key%` is one that browsers may know: custom and prefixed ones are not listed. */
export function hasSides(property: string): boolean {
  return property.startsWith('-') || [...OF_SIDES.values()].includes(property)
}

/**
 * A declaration for each side of a box that has a value, or one for all sides when they are equal and CSS has one. A
 * property that has none for each side gets all four in one.
 */
export function boxDeclarations(rule: StyleRule, property: string, scope: ValueScope): [string, string][] {
  const value = storedValue(rule.field, scope.holder)
  if (!isObject(value)) return []
  const texts = SIDES.map((side) => filledTemplate(rule, withUnit(value[side] ?? null, rule.unit)))
  const [first] = texts
  const isEqual = typeof first === 'string' && texts.every((text) => text === first)
  const ofSide = property.includes('%key%') ? property : OF_SIDES.get(property)
  if (ofSide === undefined) {
    const all = isEqual ? first : filledTemplate(rule, sidesText(rule, value))
    return all === null ? [] : [[property, all]]
  }
  const [shorthand] = [...OF_SIDES].find(([, one]) => one === ofSide) ?? []
  if (isEqual && shorthand !== undefined) return [[shorthand, first]]
  return SIDES.flatMap((side, index): [string, string][] => {
    const text = texts[index]
    return typeof text === 'string' ? [[ofSide.replace('%key%', side), text]] : []
  })
}

/** Returns all four sides as one text, those without a value as 0; null for none. */
function sidesText({ unit }: StyleRule, value: JsonObject): string | null {
  if (SIDES.every((side) => typeof value[side] !== 'number')) return null
  return SIDES.map((side) => withUnit(value[side] ?? 0, unit)).join(' ')
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

/** A placeholder in a template: `%VALUE%`, `%x%`. */
export const PLACEHOLDER = /%([\p{L}_][\p{L}\p{N}_-]*)%/gu

function filledTemplate({ valueTemplate }: StyleRule, text: string | null): string | null {
  return text === null || valueTemplate === null ? text : valueTemplate.replace(PLACEHOLDER, () => text)
}

/** The value of a rule with its unit; null for none. */
export function plainText(rule: StyleRule, scope: ValueScope): string | null {
  const { field, unit } = rule
  const value = storedValue(field, scope.holder)
  if (field.type.style === 'image') return imageText(value, scope)
  if (field.type.style === 'sides') return isObject(value) ? sidesText(rule, value) : null
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((one) => withUnit(one, unit)).join(' ')
  return withUnit(value, unit)
}

function withUnit(value: Json, unit: string): string | null {
  if (typeof value === 'number') return `${value}${unit}`
  if (typeof value !== 'string' || value === '') return null
  if (isVariable(value)) return `var(${value})`
  return unit !== '' && /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(value) ? `${value}${unit}` : value
}

/** `url("…")` of the first related image. */
export function imageText(value: Json, { imageUrl }: ValueScope): string | null {
  const image = relatedImage(value)
  const url = image && imageUrl?.(image)
  return url ? `url("${encodeForCss(url)}")` : null
}

/** The first image of a relationship's value. */
export function relatedImage(value: Json): StyleImage | null {
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
