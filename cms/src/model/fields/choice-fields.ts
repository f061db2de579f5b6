import { z } from 'zod'
import {
  checkChoices,
  choiceIndex,
  choiceSchema,
  choicesOption,
  findChoice,
  labelOf,
  notAChoice,
} from '../field-type/choice-list.ts'
import type { FieldType } from '../field-type/field-type.ts'
import { amountBounds, checkBounds, withoutLimits } from '../field-type/options.ts'
import { checkCount, isBlank, MOST_ITEMS } from '../field-type/outside.ts'
import type { Choice } from '../field-type/value-terms.ts'

const oneOption = z.strictObject({ choices: choicesOption })

/** One of several choices, from a menu. */
export const select: FieldType<z.infer<typeof oneOption>, Choice['value']> = {
  name: 'select',
  style: 'choice',
  options: oneOption,
  blank: () => null,
  read(input, { choices }, reading) {
    const found = findChoice(input, choices)
    if (!found && !isBlank(input)) reading.problem(notAChoice(choices))
    return found?.value ?? null
  },
  toText: (value, { choices }) => labelOf(value, choices),
  jsonSchema: ({ choices }) => choiceSchema(choices, 'orNull'),
  check: ({ choices }, report) => checkChoices(choices, report),
  scalar: ({ choices }) => (choices.some(({ value }) => typeof value === 'string') ? 'text' : 'number'),
  index: (value) => [choiceIndex(value)],
  choices: ({ choices }) => choices,
}

/** One of several choices, all visible: a `select` with another appearance in the editor. */
export const radio: typeof select = { ...select, name: 'radio', hasNoPlaceholder: true }

const severalOptions = z.strictObject({ ...amountBounds, choices: choicesOption })

/** Any number of choices, in the order given. */
export const checkboxes: FieldType<z.infer<typeof severalOptions>, Choice['value'][]> = {
  name: 'checkboxes',
  hasNoPlaceholder: true,
  countsItems: true,
  style: 'choice',
  options: severalOptions,
  blank: () => [],
  read(input, { choices, min, max }, reading) {
    if (isBlank(input)) return []
    const values = new Set<Choice['value']>()
    for (const [index, given] of (Array.isArray(input) ? input.slice(0, MOST_ITEMS) : [input]).entries()) {
      const found = findChoice(given, choices)
      if (found) values.add(found.value)
      else reading.problem(notAChoice(choices), 'invalid', Array.isArray(input) ? String(index) : '')
    }
    checkCount(values.size, { min, max }, reading)
    return [...values]
  },
  toText: (value, { choices }) => value.map((one) => labelOf(one, choices)).join(', '),
  jsonSchema: ({ choices }) => ({ type: 'array', items: choiceSchema(choices, 'only') }),
  check(options, report) {
    checkBounds(options, report)
    checkChoices(options.choices, report)
  },
  unlimited: withoutLimits,
  index: (value) => value.map(choiceIndex),
  choices: ({ choices }) => choices,
}
