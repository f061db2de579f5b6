import { subjectOf } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { dropFiles } from '../../engine/media/attachment-files.ts'
import type { Actor } from '../../engine/permissions.ts'
import { inTransaction } from '../../engine/store-contexts.ts'
import { write } from '../../engine/write.ts'
import type { Files } from '../../files/files.ts'
import type { App } from '../../service.ts'
import { explain, UsageError } from '../command/failure.ts'
import { progress } from '../command/progress.ts'
import type { Seed } from '../command/site-module.ts'

/**
 * Runs the seed of a site in one transaction, all of it or nothing: files that it stored are removed when it fails.
 * Throws `UsageError` that names the document which was refused.
 */
export async function runSeed(app: App, seed: Seed, title: string): Promise<void> {
  const operator = app.context({ kind: 'operator' })
  const stored: string[] = []
  const files = noting(operator.files, stored)
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

/** The same files, with the names of all that are stored noted. */
function noting(files: Files, stored: string[]): Files {
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
  const told = `${subject}: ${explained ?? (error instanceof Error ? error.message : error)}`
  return explained === null ? new Error(told, { cause: error }) : new UsageError(`The seed wrote nothing. ${told}`)
}
