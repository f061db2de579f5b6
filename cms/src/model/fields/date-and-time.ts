import { z } from 'zod'
import { date } from './date.ts'
import { readMoment, toInstant } from './moment.ts'

const bound = z
  .string()
  .transform((text, issues) => toInstant(text) ?? issues.addIssue('Write an ISO 8601 date and time.') ?? z.NEVER)
  .optional()
const hint = 'Write a real date and time as ISO 8601, for example 2026-05-04T10:11:12Z.'

/** A moment, stored in UTC: `2026-05-04T10:11:12.000Z`. */
export const dateAndTime: typeof date = {
  ...date,
  name: 'dateAndTime',
  options: z.strictObject({ min: bound, max: bound }),
  read: (input, bounds, reading) => readMoment(input, bounds, reading, { parse: toInstant, hint }),
  jsonSchema: () => ({ type: ['string', 'null'], format: 'date-time' }),
}
