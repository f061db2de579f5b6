import type { JsonSchema } from '../../base/json.ts'
import { boolean, dateTime, object, text, textOrNull } from '../../base/json-schema.ts'
import type { Context } from '../../engine/context.ts'
import { assertAdmin, isAdmin } from '../../engine/permissions.ts'
import type { Job } from '../../engine/run-jobs.ts'
import { emptyAnswer } from '../../http/openapi/answer-schemas.ts'
import { type Route, route } from '../../http/requests/route.ts'
import { CHANGE_EVENTS } from '../../model/declared/change-events.ts'
import { DAILY } from '../../model/declared/job-schedules.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Feature } from '../feature.ts'
import { startDeliveries } from './deliver.ts'
import {
  changeWebhook,
  listDeliveries,
  listWebhooks,
  makeWebhook,
  pingReceiver,
  readWebhook,
  redeliver,
  removeWebhook,
} from './manage.ts'
import { noteForReceivers } from './receivers.ts'

const KEPT_MS = 14 * 86_400_000

/** Deletes deliveries after two weeks. */
const CLEANING: Job = {
  name: 'webhook cleaning',
  schedule: DAILY,
  run: (ctx: Context) => ctx.store.transaction(({ webhooks }) => webhooks.prune(ctx.now().getTime() - KEPT_MS)),
}

/** Notifies outside receivers of changes (§6.7). */
export const webhooks: Feature = {
  name: 'webhooks',
  routes: webhookRoutes,
  hooks: { onChange: noteForReceivers },
  jobs: () => [CLEANING],
  serve: startDeliveries,
}

/** The routes by which admins manage webhooks (§6.7). */
function webhookRoutes(site: Site): readonly Route[] {
  const path = `/api/v1/${site.namespace}/webhook`
  return [...receiverRoutes(path), ...deliveryRoutes(`${path}/:_id`)]
}

const COMMON = {
  tag: 'webhook',
  ignoresLocale: true,
  isFor: isAdmin,
  permit: assertAdmin,
} as const

/** The webhooks themselves: where events are sent, and which. */
function receiverRoutes(path: string): readonly Route[] {
  const one = `${path}/:_id`
  return [
    route({
      ...COMMON,
      method: 'GET',
      path,
      summary: 'All webhooks',
      operationId: 'webhook.list',
      answer: listOf(WEBHOOK, 'Those of the site, and those made here.'),
      handle: listWebhooks,
    }),
    route({
      ...COMMON,
      method: 'POST',
      path,
      summary: 'Make a webhook; its secret is shown this once',
      operationId: 'webhook.insert',
      body: { ...BODY, required: ['url', 'events'] },
      answer: WEBHOOK,
      isSecret: true,
      maxBodyBytes: MOST_BODY,
      handle: makeWebhook,
    }),
    route({
      ...COMMON,
      method: 'GET',
      path: one,
      summary: 'One webhook',
      operationId: 'webhook.read',
      answer: WEBHOOK,
      handle: readWebhook,
    }),
    route({
      ...COMMON,
      method: 'PATCH',
      path: one,
      summary: 'Change a webhook',
      operationId: 'webhook.update',
      body: { ...BODY, properties: { ...BODY.properties, newSecret: NEW_SECRET } },
      answer: WEBHOOK,
      isSecret: true,
      maxBodyBytes: MOST_BODY,
      handle: changeWebhook,
    }),
    route({
      ...COMMON,
      method: 'DELETE',
      path: one,
      summary: 'Delete a webhook with its deliveries',
      operationId: 'webhook.remove',
      answer: emptyAnswer,
      handle: removeWebhook,
    }),
  ]
}

/** The deliveries of one webhook; a ping is one, too. */
function deliveryRoutes(one: string): readonly Route[] {
  return [
    route({
      ...COMMON,
      method: 'POST',
      path: `${one}/ping`,
      summary: 'Send an event "ping" to a webhook',
      operationId: 'webhook.ping',
      answer: DELIVERY,
      maxBodyBytes: MOST_BODY,
      handle: pingReceiver,
    }),
    route({
      ...COMMON,
      method: 'GET',
      path: `${one}/delivery`,
      summary: 'The deliveries of a webhook, newest first',
      operationId: 'webhook.deliveries',
      query: [
        { name: 'before', description: 'The _id of the last one of the page before.', schema: { type: 'string' } },
      ],
      answer: listOf(DELIVERY, 'One page of them.'),
      handle: listDeliveries,
    }),
    route({
      ...COMMON,
      method: 'POST',
      path: `${one}/delivery/:deliveryId/redeliver`,
      summary: 'Send a delivery again',
      operationId: 'webhook.redeliver',
      answer: emptyAnswer,
      maxBodyBytes: MOST_BODY,
      handle: redeliver,
    }),
  ]
}

const MOST_BODY = 64 * 1024

const listOf = (items: JsonSchema, description: string): JsonSchema =>
  object(['results'], { results: { type: 'array', items, description } })
const events: JsonSchema = {
  type: 'array',
  items: { type: 'string', enum: CHANGE_EVENTS },
  minItems: 1,
  description: 'The events that the receiver is sent.',
}
const BODY = {
  type: 'object',
  properties: {
    url: text('Where deliveries are sent: https://…'),
    events,
    types: { type: 'array', items: { type: 'string' }, description: 'Only documents of these types; all when empty.' },
    enabled: { type: 'boolean', default: true, description: 'false: nothing is sent.' },
  },
}
const NEW_SECRET = { type: 'boolean', description: 'true replaces the secret, and shows the new one.' }
const WEBHOOK: JsonSchema = object(['_id', 'url', 'events', 'types', 'enabled', 'isDeclared'], {
  _id: text('Of the webhook.'),
  ...BODY.properties,
  isDeclared: boolean('The site declares it: it cannot be changed here.'),
  createdAt: dateTime('When it was made.'),
  secret: text('What deliveries are signed with; only when it is new.'),
})
const time = { type: ['string', 'null'], format: 'date-time' }
const DELIVERY: JsonSchema = object(
  ['_id', 'event', 'status', 'attempts', 'createdAt', 'sentAt', 'due', 'answered', 'error', 'body'],
  {
    _id: text('Of the delivery: the same for each attempt.'),
    event: text('What has happened.'),
    status: { type: 'string', enum: ['pending', 'delivered', 'failed'], description: 'Whether it has arrived.' },
    attempts: { type: 'integer', description: 'How often it was sent.' },
    createdAt: dateTime('When the change was made.'),
    sentAt: { ...time, description: 'When it was sent last.' },
    due: { ...time, description: 'When it is sent next; null when it is not.' },
    answered: { type: ['integer', 'null'], description: 'The status of the last answer.' },
    error: textOrNull('Why the last attempt failed.'),
    body: { type: 'object', description: 'What is sent.' },
  },
)
