import { z } from 'zod'
import { float } from './float.ts'

/** A number between two bounds, chosen with a slider. */
export const range: typeof float = {
  ...float,
  name: 'range',
  hasNoPlaceholder: true,
  style: 'number',
  options: z.strictObject({
    min: z.number(),
    max: z.number(),
    /** The steps of the editor's slider. */
    step: z.number().positive().optional(),
    unit: z.string().optional(),
  }),
}
