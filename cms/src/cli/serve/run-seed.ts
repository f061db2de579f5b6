import { setTimeout as pause } from 'node:timers/promises'
import { subjectOf } from '../../base/errors.ts'
import { messageOf } from '../../base/thrown.ts'
import type { Context } from '../../engine/context.ts'
import { inTransaction } from '../../engine/contexts.ts'
import { type Lease, takeLease } from '../../engine/lease.ts'
import { dropFiles } from '../../engine/media/attachment-files.ts'
import type { Actor } from '../../engine/permissions.ts'
import { write } from '../../engine/write.ts'
import type { Files } from '../../files/files.ts'
import type { App } from '../../service.ts'
import { explain, UsageError } from '../command/failure.ts'
import { progress } from '../command/progress.ts'
import type { Seed } from '../command/site-module.ts'

/** Shorter than that of jobs: other processes cannot start meanwhile. */
const LEASE_MS = 9_000
const LOOK_MS = 200

/** True when work of that name was done to its end. */
export async function isDone(ctx: Context, name: string): Promise<boolean> {
  return ((await ctx.store.jobs.get(name))?.endedAt ?? null) !== null
}

/**
 * Does what only one process that uses the database may do at a time: another one that does work of this name is waited
 * for. Answers what the work answers, and throws what it throws: then the work is not done. When another process has
 * taken the work, because this one was silent for too long, it throws at once, and does not wait for the work: its
 * caller stops it.
 */
export async function aloneWith<T>(ctx: Context, name: string, work: () => Promise<T>): Promise<T> {
  const lease = await leaseWhenFree(ctx, name)
  let hasDone = false
  try {
    const answer = await Promise.race([work(), failureWhenLost(lease, name)])
    hasDone = true
    return answer
  } finally {
    const now = ctx.now().getTime()
    await lease.end(({ endedAt }) => ({ due: now, endedAt: hasDone ? now : endedAt, failures: 0, error: null }))
  }
}

async function leaseWhenFree(ctx: Context, name: string): Promise<Lease> {
  for (;;) {
    const lease = await takeLease(ctx, name, { ms: LEASE_MS, isForced: true })
    if (lease !== null) return lease
    await pause(LOOK_MS)
  }
}

function failureWhenLost({ lost }: Lease, name: string): Promise<never> {
  const message = `Another process has taken over “${name}”, since this one was silent for ${LEASE_MS / 1000} seconds. Start it again.`
  return new Promise((_, reject) => lost.addEventListener('abort', () => reject(new UsageError(message))))
}

/**
 * Runs the seed of a site in one transaction, all of it or nothing: files that it stored are removed when it fails.
 * Throws `UsageError` that names the document which was refused.
 */
export async function runSeed(app: App, seed: Seed, title: string): Promise<void> {
  const operator = app.context({ kind: 'operator' })
  const stored: string[] = []
  const files = recording(operator.files, stored)
  try {
    await write(operator, (tx) => {
      const context = (actor: Actor) => inTransaction(tx, { ...app.context(actor), files })
      const { store } = context({ kind: 'operator' })
      const as: Context['as'] = (...who) => context({ kind: 'anonymous' }).as(...who)
      return seed({ ...app, store, context, ...('as' in app && { as }) }, progress(title))
    })
  } catch (error) {
    await dropFiles(operator, stored)
    throw withSubject(error)
  }
}

/** Files that record the name of each that is stored. */
function recording(files: Files, stored: string[]): Files {
  const put: Files['put'] = (name, content) => {
    stored.push(name)
    return files.put(name, content)
  }
  return new Proxy(files, {
    get(_, name) {
      const member: unknown = Reflect.get(files, name)
      return name === 'put' ? put : typeof member === 'function' ? member.bind(files) : member
    },
  })
}

/** The failure with the document that it is about, and what is wrong there. */
function withSubject(error: unknown): unknown {
  const subject = subjectOf(error)
  if (subject === null) return error
  const explained = explain(error)
  const message = `${subject}: ${explained ?? messageOf(error)}`
  return explained === null
    ? new Error(message, { cause: error })
    : new UsageError(`The seed wrote nothing. ${message}`)
}
