import { z } from 'zod'
import { didYouMean } from '../../base/did-you-mean.ts'
import { checkDistinct, type Report } from '../terms/configuration-error.ts'
import { RECEIVER_URL, WORD } from './option-schemas.ts'

/** The closed list of events of content, by the names that webhooks use (§6.7). */
export const CHANGE_EVENTS = [
  'document.saved',
  'document.published',
  'document.unpublished',
  'document.archived',
  'document.restored',
  'document.moved',
  'document.removed',
  'media.uploaded',
] as const

/** Something that happens to content, under the name that webhooks use (§6.7). */
export type ChangeEvent = (typeof CHANGE_EVENTS)[number]

const RECEIVER = z.strictObject({
  name: WORD,
  url: RECEIVER_URL,
  secret: z.string().min(16),
  events: z.array(z.enum(CHANGE_EVENTS)).min(1),
  /** None: all types. */
  types: z.array(z.string()).default([]),
})

/** The webhooks of a site as declared (§6.7). */
export const WEBHOOKS = z.strictObject({
  /** Receivers may be in private networks, and need no https. */
  allowPrivate: z.boolean().default(false),
  receivers: z.array(RECEIVER).default([]),
})

/** How webhooks are sent, and the receivers that the site declares. */
export type SiteWebhooks = z.infer<typeof WEBHOOKS>

/** Checks the receivers that a site declares: names are unique, types are known, and what is sent is encrypted. */
export function checkWebhooks(
  { allowPrivate, receivers }: SiteWebhooks,
  typeNames: readonly string[],
  report: Report,
): void {
  checkDistinct(receivers, 'a receiver', 'receivers.', report)
  for (const [index, { url, types, events }] of receivers.entries()) {
    if (!allowPrivate && !url.startsWith('https:')) {
      report(`receivers.${index}.url`, 'must begin with https:, unless allowPrivate is true')
    }
    if (types.length > 0 && events.includes('media.uploaded')) {
      report(`receivers.${index}.events`, '"media.uploaded" is of no type: only receivers without "types" get it')
    }
    for (const type of types.filter((one) => !typeNames.includes(one))) {
      report(`receivers.${index}.types`, `there is no type "${type}"${didYouMean(type, typeNames)}`)
    }
  }
}
