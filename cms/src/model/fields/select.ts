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
import { isBlank } from '../field-type/outside.ts'

const options = z.strictObject({ choices: choicesOption })

/** One of several choices, from a menu. */
export const select: FieldType<z.infer<typeof options>, Choice['value']> = {
  name: 'select',
  style: 'choice',
  options,
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
