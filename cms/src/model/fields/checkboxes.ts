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
import type { Choice, FieldType } from '../field-type/field-type.ts'
import { amountBounds, checkBounds, withoutLimits } from '../field-type/options.ts'
import { checkCount, isBlank, MOST_ITEMS } from '../field-type/outside.ts'

const options = z.strictObject({ ...amountBounds, choices: choicesOption })

/** Any number of choices, in the order given. */
export const checkboxes: FieldType<z.infer<typeof options>, Choice['value'][]> = {
  name: 'checkboxes',
  hasNoPlaceholder: true,
  countsItems: true,
  style: 'choice',
  options,
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
