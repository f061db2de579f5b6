import { z } from 'zod'
import type { JsonSchema } from '../../base/json.ts'
import { foldText } from '../../base/text.ts'
import type { Report } from '../terms/configuration-error.ts'
import type { Choice, IndexValue } from './value-terms.ts'

// Shared by select, radio and checkboxes.

type ChoiceValue = Choice['value']

const choice = z.strictObject({
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  label: z.string(),
})

/** The choices of a field: values with labels, or plain texts that are both. */
export const choicesOption = z
  .array(z.union([choice, z.string().transform((text) => ({ value: text, label: text }))]))
  .min(1)

/** Reports choices that filters could not tell apart. */
export function checkChoices(choices: readonly Choice[], report: Report): void {
  const seen = new Set<string | number | null>()
  for (const [index, { value }] of choices.entries()) {
    const { text, number } = choiceIndex(value)
    // By its number a filter would find 1 and true alike.
    const keys = number === null ? [text] : [text, number]
    if (keys.some((key) => seen.has(key)))
      report(`choices.${index}`, `${value} is declared already; choices must differ in more than case`)
    for (const key of keys) seen.add(key)
  }
}

/** The choice that an outside value names, exactly or as text with space around it; undefined when there is none. */
export function findChoice(input: unknown, choices: readonly Choice[]): Choice | undefined {
  const exact = choices.find((one) => one.value === input)
  if (exact || typeof input !== 'string') return exact
  const text = input.trim()
  return choices.find((one) => one.value !== null && String(one.value) === text)
}

/** A message that lists the choices, or the first of them when there are many. */
export function notAChoice(choices: readonly Choice[]): string {
  const values = choices.map((one) => String(one.value))
  if (values.length > 20) return `This is not one of the ${values.length} choices.`
  return `This is not one of the choices: ${values.join(', ')}.`
}

/** The label of a value; the value itself when the site no longer has the choice. */
export function labelOf(value: ChoiceValue, choices: readonly Choice[]): string {
  return choices.find((one) => one.value === value)?.label ?? String(value ?? '')
}

/** The index value of one choice. */
export function choiceIndex(value: ChoiceValue): IndexValue {
  const number = typeof value === 'number' || typeof value === 'boolean' ? Number(value) : null
  return { text: foldText(String(value)), number }
}

/** The values to choose from, as a JSON Schema. */
export function choiceSchema(choices: readonly Choice[], orNull: 'orNull' | 'only'): JsonSchema {
  const values = choices.map((one) => one.value)
  const isNull = orNull === 'orNull' || values.includes(null)
  const kinds = kindsOf(values)
  const [only] = kinds
  if (only?.enum === undefined || kinds.length > 1) return { oneOf: isNull ? [...kinds, { type: 'null' }] : kinds }
  return isNull ? { type: [only.type, 'null'], enum: [...only.enum, null] } : { type: only.type, enum: only.enum }
}

interface Kind {
  readonly type: string
  readonly enum?: readonly ChoiceValue[]
  readonly const?: ChoiceValue
}

/** Generators know enums of texts and of whole numbers, not of both; other values are constants. */
function kindsOf(values: readonly ChoiceValue[]): readonly Kind[] {
  const {
    string = [],
    integer = [],
    other = [],
  } = Object.groupBy(values, (value) => {
    return Number.isInteger(value) ? 'integer' : typeof value === 'string' ? 'string' : 'other'
  })
  return [
    ...(string.length > 0 ? [{ type: 'string', enum: string }] : []),
    ...(integer.length > 0 ? [{ type: 'integer', enum: integer }] : []),
    ...other.filter((value) => value !== null).map((value) => ({ type: typeof value, const: value })),
  ]
}
