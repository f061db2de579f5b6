import { z } from 'zod'

const ADDRESS = 'Must be an address that begins with https:// or http://, without spaces and control characters.'

/** The address of a receiver, as it is parsed: parsers drop line breaks, which would otherwise be stored. */
export const RECEIVER_URL = z
  .string()
  .trim()
  .max(2_000)
  .regex(/^https?:\/\/[^\s\p{Cc}]+$/iu, { error: ADDRESS, abort: true })
  .refine((text) => URL.canParse(text), ADDRESS)
  .transform((text) => new URL(text).href)
