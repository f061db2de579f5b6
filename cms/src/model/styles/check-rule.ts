import type { StyleRule } from '../declared/types.ts'
import type { Report } from '../terms/configuration-error.ts'
import { isClassName, isUnit, mediaMistake, propertyMistake, siteValueMistake } from './css-safety.ts'
import { hasSides, PLACEHOLDER } from './rule-text.ts'

const WITHOUT_UNIT = ['color', 'switch', 'parts', 'image']

/**
 * Reports what is wrong with the CSS of one style field. `isPart`: a template or a custom type of its object uses it.
 */
export function checkRule(rule: StyleRule, isPart: boolean, report: Report): void {
  const { field, unit, mediaQuery } = rule
  if (field.type.style === undefined) return
  checkBackground(rule, report)
  checkClass(rule, report)
  checkProperties(rule, isPart, report)
  if (unit !== '' && (WITHOUT_UNIT.includes(field.type.style) || rule.class === true))
    report('unit', rule.class === true ? 'classes have no unit' : 'values of this type have no unit')
  else if (unit !== '' && !isUnit(unit)) report('unit', `"${unit}" is not a unit of CSS: "px", "%", "rem"`)
  const media = mediaQuery === null ? null : mediaMistake(mediaQuery)
  if (media !== null) report('mediaQuery', media)
  checkTemplate(rule, report)
  checkChoices(rule, isPart, report)
}

/** Checks that a field can be drawn as a background (§2.9). */
function checkBackground({ field, customType, valueTemplate, inner }: StyleRule, report: Report): void {
  if (customType === null) return
  if (field.type.style !== 'parts' || !inner.some((part) => part.field.name === 'backgroundType')) {
    report('customType', 'is for objects with the fields of the preset background')
  }
  if (valueTemplate !== null) report('valueTemplate', 'a background has no template')
}

function checkClass({ class: name, field, properties, mediaQuery }: StyleRule, report: Report): void {
  if (name === null) return
  if (properties.length > 0) report('class', 'give either "class" or "property", not both')
  if (mediaQuery !== null) report('mediaQuery', 'classes cannot depend on a media query')
  const { type, options } = field
  if (name === true) {
    if (type.style !== 'choice') {
      report(
        'class',
        `true is for select and checkboxes; ${type.style === 'switch' ? 'give the name of the class' : 'give a property'}`,
      )
    }
    for (const { value } of type.choices?.(options) ?? []) {
      const names = String(value ?? '').split(/\s+/)
      if (typeof value === 'boolean' || names.some((one) => one !== '' && !isClassName(one)))
        report('choices', `"${value}" is not a class`)
    }
  } else if (type.style !== 'switch') {
    report('class', 'the name of a class is for booleans; of select and checkboxes the values are classes: true')
  } else if (!isClassName(name)) {
    report('class', `"${name}" is not a class`)
  }
}

function checkProperties(rule: StyleRule, isPart: boolean, report: Report): void {
  const { field, properties, valueTemplate, customType } = rule
  const { style } = field.type
  for (const property of properties) {
    const [before = '', after, more] = property.split('%key%')
    const ofTop = `${before}top${after ?? ''}`
    const mistake = propertyMistake(after === undefined ? property : ofTop)
    if (more !== undefined) report('property', '"%key%" can stand there once')
    else if (after !== undefined && style !== 'sides') report('property', 'only a box has sides for "%key%"')
    else if (mistake !== null) report('property', mistake)
    else if (after !== undefined && !hasSides(property)) report('property', `CSS has no property "${ofTop}"`)
  }
  if (properties.length > 0) {
    if (style === 'switch') report('property', 'a boolean has no value for a property; give it a class')
    if (style === 'parts' && valueTemplate === null && customType === null) {
      report('property', 'an object with a property needs a valueTemplate, such as "%x%px %y%px"')
    }
  } else if (needsProperty(rule, isPart)) {
    report('property', 'is missing: name the CSS property that the value is for, or give a class')
  }
}

function needsProperty({ field, class: given, valueTemplate }: StyleRule, isPart: boolean): boolean {
  if (given !== null || isPart || field.type.style === 'switch') return false
  return field.type.style === 'parts' ? valueTemplate !== null : true
}

/** Stands in for a value: where the tokens show it as one, values cannot join with what is around them. */
const STAND_IN = '7777777'
const STAND_IN_ALONE = new RegExp(`(?<![\\w.#%+-])${STAND_IN}([a-z]*|%)(?![\\w(.#%"'-])`, 'gi')

function checkTemplate({ field, inner, valueTemplate, customType, class: given }: StyleRule, report: Report): void {
  if (valueTemplate === null || customType !== null) return
  if (given !== null) report('valueTemplate', 'classes have no template')
  const names = [...valueTemplate.matchAll(PLACEHOLDER)].map(([, name]) => name)
  const known = field.type.style === 'parts' ? inner.filter(isTextual).map((rule) => rule.field.name) : ['VALUE']
  const unknown = names.find((name) => name === undefined || !known.includes(name))
  const list = known.map((name) => `%${name}%`).join(', ')
  if (unknown !== undefined) report('valueTemplate', `there is no value for %${unknown}%; it can hold ${list}`)
  else if (names.length === 0) report('valueTemplate', `needs a place for the value: ${list}`)
  const filled = valueTemplate.replace(PLACEHOLDER, STAND_IN)
  const mistake = siteValueMistake(filled) ?? (standsAlone(filled, names.length) ? null : BETWEEN)
  if (mistake !== null) report('valueTemplate', mistake)
}

const BETWEEN =
  'values must stand between spaces, commas, brackets or units, not within names, numbers or quotation marks'

/** True when each stand-in is a number of its own, with or without a unit. */
function standsAlone(filled: string, count: number): boolean {
  const outside = filled.replace(/"[^"]*"|'[^']*'|url\([^)]*\)/gi, ' ')
  const alone = [...outside.matchAll(STAND_IN_ALONE)]
  return alone.length === count && alone.every(([, unit = '']) => unit === '' || isUnit(unit))
}

function isTextual({ field }: StyleRule): boolean {
  return field.type.style !== 'switch' && field.type.style !== 'image'
}

function checkChoices({ field, class: given }: StyleRule, isPart: boolean, report: Report): void {
  if (given !== null) return
  for (const { value } of field.type.choices?.(field.options) ?? []) {
    const mistake = typeof value === 'string' && value !== '' ? siteValueMistake(value) : null
    if (mistake !== null) report('choices', `"${value}" ${mistake}`)
    else if (typeof value === 'boolean' && !isPart) report('choices', 'true and false are not values of CSS')
  }
}
