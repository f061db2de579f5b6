import { z } from 'zod'
import { float } from './float.ts'

/** A number between two bounds, chosen with a slider. */
export const range: typeof float = {
  ...float,
  name: 'range',
  style: 'number',
  options: z.strictObject({
    min: z.number(),
    max: z.number(),
    /** Which values the editor's slider stops at. */
    step: z.number().positive().optional(),
    unit: z.string().optional(),
  }),
}
