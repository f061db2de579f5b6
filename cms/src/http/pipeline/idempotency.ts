import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { DAY_MS } from '../../base/durations.ts'
import { CmsError, conflict, invalid, unavailable } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { LEASE_MS, renewedEvery } from '../../engine/lease.ts'
import { type Actor, roleOf } from '../../engine/permissions.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Fields } from '../../model/field-type/field-type.ts'
import { hasRole, type Role } from '../../model/terms/roles.ts'
import { type IdempotentRequest, storeWith } from '../../store/contract/store.ts'
import { failureOf, STATUS_OF } from '../requests/failure-status.ts'
import { type Route, writes } from '../requests/route.ts'
import { type Answer, jsonAnswer } from './answer.ts'

/** How long requests wait for another one with the same key, and how many of a process may. */
const MAX_WAIT_MS = 45_000
const MAX_WAITING = 200
const MAX_ANSWER_BYTES = 1024 * 1024
const CLEAN_MS = 60_000

const TAKEN_OVER = 'Another process has taken over this request. Send it again with the same Idempotency-Key.'

let waiting = 0
let cleaned = 0

/** A request that may be repeated. */
interface RepeatableRequest {
  /** The header `Idempotency-Key`. */
  readonly key: string
  /** Method and path. */
  readonly target: readonly unknown[]
  /** Body and query: a repeated request must have the same. */
  readonly body: readonly unknown[]
}

/**
 * Whether a request by this caller may be sent again with an `Idempotency-Key`: writes by known callers, but no
 * uploads.
 */
export function isRepeatable(route: Route, actor: Actor): boolean {
  const { method, upload, isSecret } = route
  return writes(route) && method !== 'DELETE' && !upload && !isSecret && 'id' in actor
}

/**
 * Carries a request out once, however often its caller sends it within a day (§0.9): others with its key get its
 * answer, and wait for it. Failures of the service are not recorded, so the request can be sent again.
 */
export async function once(
  ctx: Context,
  request: RepeatableRequest,
  work: (ctx: Context) => Promise<Answer>,
): Promise<Answer> {
  const { id, body } = await identified(ctx, request)
  const started = performance.now()
  for (let delay = 25; ; delay = Math.min(delay * 2, 500)) {
    const now = ctx.now().getTime()
    const found = await ctx.store.idempotency.get(id)
    const isNew = found === null || found.since < now - DAY_MS
    const isLeft = found !== null && found.answer === null && found.until < now
    if (isNew || (isLeft && !found.isCommitted)) {
      if (await claim(ctx, { id, body, until: now + LEASE_MS }, now)) return carryOut(ctx, { id, since: now }, work)
      continue
    }
    if (body !== NOT_COMPARED && found.body !== body)
      throw conflict('This Idempotency-Key was sent with another body. Use a new one.')
    if (found.answer !== null) return answerFrom(found.answer, ctx.actor)
    if (isLeft)
      throw conflict(
        'This request was carried out, but its answer was lost. Read the present state before you continue.',
      )
    await waitFor(started + MAX_WAIT_MS, delay)
  }
}

/** Stands for a body with secrets, of which not even a digest is stored. */
const NOT_COMPARED = ''

/** A body cannot be guessed from its digest, which is keyed with a secret that no backup has. */
async function identified(
  { actor, locale, site, store }: Context,
  request: RepeatableRequest,
): Promise<Pick<IdempotentRequest, 'id' | 'body'>> {
  const { key, target, body } = request
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw invalid('An Idempotency-Key has 1 to 255 characters, without spaces.')
  const caller = 'id' in actor ? [actor.kind, actor.id] : []
  const secret = await store.secret()
  const digest = (value: unknown) => createHmac('sha256', secret).update(JSON.stringify(value)).digest('base64url')
  const isCompared = !holdsSecrets(site, body)
  return {
    id: digest([...caller, ...target, key]),
    body: isCompared ? digest([locale, ...body]) : NOT_COMPARED,
  }
}

async function claim(ctx: Context, request: IdempotentRequest, now: number): Promise<boolean> {
  const oldest = now - DAY_MS
  const isCleaning = now - cleaned > CLEAN_MS
  if (isCleaning) cleaned = now
  return ctx.store.transaction(async ({ idempotency }) => {
    if (isCleaning) await idempotency.removeBefore(oldest)
    return idempotency.claim(request, now, oldest)
  })
}

/** A request that this process has claimed. */
interface Claim {
  readonly id: string
  readonly since: number
}

async function carryOut(ctx: Context, claim: Claim, work: (ctx: Context) => Promise<Answer>): Promise<Answer> {
  const renew = () => record(ctx, (requests) => requests.extend(claim, ctx.now().getTime() + LEASE_MS))
  const renewal = setInterval(() => void renew(), renewedEvery(LEASE_MS)).unref()
  try {
    const answer = await work(committing(ctx, claim))
    await record(ctx, (requests) => requests.finish(claim, textOf(answer, ctx.actor)))
    return answer
  } catch (error) {
    const refusal = refusalOf(error)
    await record(ctx, (requests) =>
      refusal === null ? requests.abandon(claim) : requests.finish(claim, textOf(refusal, ctx.actor)),
    )
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** Records the state of a request; its answer is sent whether or not that succeeds. */
async function record(
  ctx: Context,
  change: (requests: Parameters<Parameters<Context['store']['transaction']>[0]>[0]['idempotency']) => Promise<void>,
): Promise<void> {
  try {
    await ctx.store.transaction(({ idempotency }) => change(idempotency))
  } catch (error) {
    ctx.log.warn({ error }, 'The answer to a request with an Idempotency-Key could not be stored.')
  }
}

/**
 * A context whose transactions also record that work of the request is committed. One that stood still for so long that
 * another process has taken the request over commits nothing.
 */
function committing(ctx: Context, claim: Claim): Context {
  const transaction: typeof ctx.store.transaction = (work) =>
    ctx.store.transaction(async (tx) => {
      const result = await work(tx)
      if (!(await tx.idempotency.commit(claim))) throw unavailable(TAKEN_OVER)
      return result
    })
  return { ...ctx, store: storeWith(ctx.store, { transaction }) }
}

/** A refusal that would be repeated; null for failures that may be temporary. */
function refusalOf(error: unknown): Answer<Buffer> | null {
  if (!(error instanceof CmsError)) return null
  const status = STATUS_OF[error.name]
  if (status >= 500 || status === 401 || status === 429) return null
  const { headers, body } = failureOf(error, '')
  return jsonAnswer(status, body, headers)
}

/** The answer as the database keeps it; null for one that is too long, or for one caller and moment alone. */
function textOf({ status, headers, body, cookies = [] }: Answer, actor: Actor): string | null {
  if (body instanceof Readable || body.length > MAX_ANSWER_BYTES || cookies.length > 0) return null
  const bytes = Buffer.isBuffer(body) ? body : body.bytes()
  return JSON.stringify({ status, headers, body: bytes.toString('base64'), role: roleOf(actor) })
}

/** An answer as it is kept, with the role that its caller had then; answers of earlier builds have none. */
interface StoredAnswer extends Pick<Answer, 'status' | 'headers'> {
  readonly body: string
  readonly role?: Role
}

/** The kept answer. Throws `conflict` where the role of the caller was lowered since: they may no longer see all of it. */
function answerFrom(text: string, actor: Actor): Answer {
  // `as`: written by `textOf`.
  const { status, headers, body, role } = JSON.parse(text) as StoredAnswer
  if (role !== undefined && !hasRole(roleOf(actor), role)) throw conflict(LOWERED)
  return { status, headers, body: Buffer.from(body, 'base64') }
}

const LOWERED =
  'This request was carried out when you had a higher role, whose answer is not repeated. Read the present state before you continue.'

async function waitFor(deadline: number, ms: number): Promise<void> {
  if (waiting >= MAX_WAITING || performance.now() > deadline) {
    throw unavailable('An earlier request with this Idempotency-Key is still running. Try again in a moment.')
  }
  waiting += 1
  try {
    await pause(ms)
  } finally {
    waiting -= 1
  }
}

const namesOfSites = new WeakMap<Site, ReadonlySet<string>>()

/** True for JSON from outside with a value for a secret field of the site, such as a password, at any depth. */
function holdsSecrets(site: Site, value: unknown): boolean {
  const names = namesOfSites.get(site) ?? secretNames(site)
  namesOfSites.set(site, names)
  return names.size > 0 && hasName(value, names)
}

/** The names of the secret fields of all types and widgets. */
function secretNames({ types, widgets }: Site): ReadonlySet<string> {
  const names = new Set<string>()
  const addFrom = (fields: Fields): void => {
    for (const { name, type, options } of fields.list) {
      if (type.secret !== undefined) names.add(name)
      const inner = type.innerFields?.(options)
      if (inner) addFrom(inner)
    }
  }
  for (const { fields } of [...types.values(), ...widgets.values()]) addFrom(fields)
  return names
}

/** Names may be paths, as in `members.0.password` of a PATCH. */
function hasName(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, inner]) => names.has(name.slice(name.lastIndexOf('.') + 1)) || hasName(inner, names),
  )
}
