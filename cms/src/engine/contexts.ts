import { CacheMemory } from '../base/bounded-cache.ts'
import { currentSources, SourcedCache, type Store, storeWith } from '../store/contract/store.ts'
import type { Caches, Caching, Parts } from './answer-caching.ts'
import type { Context, WriteContext } from './context.ts'
import type { Actor } from './permissions.ts'

/** The parts of a context that a request chooses. */
export type Requested = Pick<Context, 'locale' | 'mode' | 'explicit'> &
  Partial<Pick<Context, 'isExternalFront' | 'isStaticBuild' | 'origin'>>

/** Makes the context of an actor: in the default locale, published, unless a request asks for something else. */
type NewContext = (actor: Actor, requested?: Requested) => Context

/** The parts that the contexts of a service share. */
type ContextParts = Pick<
  Context,
  'site' | 'store' | 'content' | 'files' | 'embeds' | 'templates' | 'hooks' | 'metrics' | 'log' | 'as' | 'staticBaseUrl'
> & {
  /** The memory that their caches share with cached answers; null for no caches. */
  readonly memory: CacheMemory | null
}

/** Makes the contexts of a service. They all share its parts, and differ in who asks for what. */
export function newContexts(parts: ContextParts): NewContext {
  const { memory, ...others } = parts
  const { site, store } = others
  const caches = memory === null ? NO_CACHES : newCaches(() => store.changes(), memory)
  const ordinary: Requested = {
    locale: site.defaultLocale,
    mode: 'published',
    explicit: { locale: null, mode: null },
  }
  const shared = {
    ...others,
    caches,
    isExternalFront: false,
    isStaticBuild: false,
    origin: null,
    now: () => store.now(),
  }
  return (actor, requested = ordinary) => ({ ...shared, caching: newCaching(), actor, ...requested })
}

type Changed = Partial<Context & Pick<WriteContext, 'operations'>>

/**
 * A context of somebody else, or for something else, in the transaction of `ctx`: what it reads and writes is in that
 * transaction, and what follows the commit is done in its name.
 */
export function inTransaction(ctx: WriteContext, changed: Changed): WriteContext {
  const { tx } = ctx
  const store = storeWith(ctx.store, {
    ...tx.read,
    changes: () => null,
    transaction: (work) => work(tx),
    snapshot: (work) => work(tx.read),
  })
  return {
    ...ctx,
    ...changed,
    store,
    caches: NO_CACHES,
    afterCommit: (task) => ctx.afterCommit((committed) => task({ ...committed, ...changed })),
  }
}

/**
 * Runs `work` on one snapshot of the content: nothing that is committed meanwhile is seen. What it makes of the content
 * is not cached, since others may be ahead of it.
 */
export function onSnapshot<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  return ctx.store.snapshot((reader) => {
    // A snapshot inside a snapshot is the same one.
    const store = storeWith(ctx.store, { ...reader, snapshot: (inner) => inner(reader) })
    return work({ ...ctx, store, caches: NO_CACHES })
  })
}

/** About how many bytes a fragment and a related document take without their text. */
const BYTES_OF_FRAGMENT = 700
const BYTES_OF_RELATED = 500

/** The caches of a service, in a memory that they share with its answers (`http/pipeline/cache.ts`). */
export function newCaches(changes: Store['changes'], memory: CacheMemory): Caches {
  const cached = { changes, memory }
  return {
    // `as`: the key says what a part is.
    parts: new SourcedCache({ ...cached, prefix: 'part ', bytesOf: bytesOfPart }) as Parts,
    fragments: new SourcedCache({
      ...cached,
      prefix: 'fragment ',
      bytesOf: () => BYTES_OF_FRAGMENT,
      sharedOf: ({ text }) => [text],
    }),
    related: new SourcedCache({
      ...cached,
      prefix: 'related ',
      bytesOf: () => BYTES_OF_RELATED,
      sharedOf: (related) => (related === null ? [] : [related.text]),
    }),
  }
}

function bytesOfPart(part: unknown): number {
  return 2 * JSON.stringify(part).length
}

/** Caches nothing: for transactions and snapshots, which see what others must not see, or have not seen yet. */
const NO_CACHES: Caches = newCaches(() => null, new CacheMemory(0))

/** The state of one answer, which may be cached until something forbids it. */
export function newCaching(): Caching {
  let isAllowed = true
  return {
    isAllowed: () => isAllowed,
    forbid() {
      isAllowed = false
      currentSources()?.recordUnknown()
    },
  }
}
