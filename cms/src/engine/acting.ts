import type { UnknownObject } from '../base/json.ts'
import { isRole } from '../model/terms/roles.ts'
import type { Acting, Content, ContentOptions } from './content-operations.ts'
import type { Context } from './context.ts'

/** The caller of operations in this process, the context, and the default locale and mode. */
export interface ContentSession {
  readonly ctx: Context
  readonly acting: Acting
  readonly defaults: ContentOptions
}

/** The name of an operation on content. */
export type OperationName = keyof Content

const OPERATIONS: readonly OperationName[] = [
  'find',
  'findOne',
  'count',
  'tree',
  'insert',
  'insertMany',
  'replace',
  'patch',
  'publish',
  'unpublish',
  'archive',
  'restore',
  'remove',
  'localize',
  'transaction',
]

/** Runs an operation; what it needs is loaded by the first one. */
type RunOperation = (session: ContentSession, name: OperationName, args: readonly unknown[]) => Promise<unknown>

/** `Context.as` of all contexts of a service: a method, so that it acts where its context is. */
export function asMethod(run: RunOperation): Context['as'] {
  function as(this: Context, acting: Acting, defaults: ContentOptions = {}): object {
    assertActing(acting)
    if (typeof defaults !== 'object' || defaults === null) {
      throw new TypeError("as() takes a locale and a mode as an object: { locale: 'fr', mode: 'draft' }.")
    }
    const session: ContentSession = { ctx: this, acting, defaults }
    const operations = OPERATIONS.map((name) => [name, (...args: unknown[]) => run(session, name, args)])
    return Object.freeze(Object.fromEntries(operations))
  }
  // `as`: what each operation takes and returns is said by `Content`, and checked when it runs.
  return as as Context['as']
}

/** Checks that an actor is named: there is no trusted default. */
function assertActing(acting: unknown): asserts acting is Acting {
  const who: UnknownObject = typeof acting === 'object' && acting !== null ? { ...acting } : {}
  if (typeof who.kind === 'string') return
  if (typeof who.user === 'string' && who.user !== '') return
  if (isRole(String(who.role)) && typeof who.name === 'string' && who.name.trim() !== '' && who.name.length <= 200) {
    return
  }
  throw new TypeError("as() needs the caller: pass { role: 'editor', name: 'Import' }, { user: id }, or an actor.")
}
