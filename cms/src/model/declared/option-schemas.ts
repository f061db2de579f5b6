import { z } from 'zod'

// Schemas of options that several parts of a site's declaration have.

const ADDRESS = 'Must be an address that begins with https:// or http://, without spaces and control characters.'

/** The address of a receiver, as it is parsed: parsers drop line breaks, which would otherwise be stored. */
export const RECEIVER_URL = z
  .string()
  .trim()
  .max(2_000)
  .regex(/^https?:\/\/[^\s\p{Cc}]+$/iu, { error: ADDRESS, abort: true })
  .refine((text) => URL.canParse(text), ADDRESS)
  .transform((text) => new URL(text).href)

/** The name of a job or a receiver. */
export const WORD = z.string().regex(/^[a-z\d][a-z\d-]{0,99}$/i, 'must be a word of letters, digits and hyphens')

/** A function of the site; only that it is one can be checked. */
export const callable = <Callable>(message = 'must be a function') =>
  z.custom<Callable>((value) => typeof value === 'function', message)
