import { z } from 'zod'
import { didYouMean } from '../../base/did-you-mean.ts'
import { FEED_FORMATS, type FeedOptions } from '../declared/discovery.ts'
import type { Field, Fields } from '../field-type/field-type.ts'
import type { Report } from '../terms/configuration-error.ts'

const FEED = z.strictObject({
  formats: z
    .array(z.enum(FEED_FORMATS))
    .min(1)
    .default([...FEED_FORMATS]),
  items: z.int().min(1).max(100).default(20),
  date: z.string().default('createdAt'),
  summary: z.string().optional(),
  image: z.string().optional(),
  author: z.string().optional(),
})

/** The option of an index page that gives it feeds (§4.6). */
export const FEED_OPTION = z.union([z.boolean(), FEED]).optional()

/** Reads the option; null for no feeds. */
export function compileFeed(declared: z.infer<typeof FEED_OPTION>): FeedOptions | null {
  if (declared === undefined || declared === false) return null
  const { formats, items, date, summary, image, author } = declared === true ? FEED.parse({}) : declared
  return { formats, items, date, summary: summary ?? null, image: image ?? null, author: author ?? null }
}

/** Checks what feeds say about pieces against their fields. */
export function checkFeed(feed: FeedOptions, fields: Fields, report: Report): void {
  const check = (option: 'date' | 'summary' | 'image' | 'author', what: string, suits: (field: Field) => boolean) => {
    const name = feed[option]
    if (name === null || (option === 'date' && (name === 'createdAt' || name === 'updatedAt'))) return
    const field = fields.byName.get(name)
    if (field !== undefined && suits(field)) return
    const known = fields.list.filter(suits).map((one) => one.name)
    report(`feed.${option}`, `"${name}" is not ${what} of the pieces${didYouMean(name, known)}`)
  }
  const isRelationship = ({ type }: Field) => type.relation === 'forward'
  const isPlain = ({ type }: Field) => type.translated === 'text'
  const hasText = ({ type }: Field) => type.translated !== undefined || type.children !== undefined
  check('date', 'a date', ({ type }) => type.isDate === true)
  check('summary', 'a text', hasText)
  check('image', 'a relationship', isRelationship)
  check('author', 'a text or a relationship', (field) => isPlain(field) || isRelationship(field))
}
