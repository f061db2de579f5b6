import type { CacheMemory } from './base/bounded-cache.ts'
import { newCaches, newCaching } from './engine/caches.ts'
import type { Context } from './engine/context.ts'
import { Embeds } from './engine/embeds/embeds.ts'
import type { Actor } from './engine/permissions.ts'
import type { Requested } from './http/requests/locale-prefixes.ts'
import type { Site } from './model/declared/types.ts'
import type { AppOptions } from './service.ts'

/** Makes the context of an actor: in the default locale, published, unless a request asks for something else. */
type NewContext = (actor: Actor, requested?: Requested) => Context

/** The parts that the contexts of a service share. */
interface ContextParts
  extends Pick<Context, 'store' | 'content' | 'files' | 'templates' | 'hooks' | 'metrics' | 'log' | 'as'> {
  /** The memory that the caches share with cached answers. */
  readonly memory: CacheMemory
}

/** Makes the contexts of a service. They all share its parts, and differ in who asks for what. */
export function newContexts(site: Site, parts: ContextParts, options: AppOptions): NewContext {
  const { store, content, files, templates, hooks, metrics, log, as, memory } = parts
  const now = () => store.now()
  const networks = options.embedNetworks ?? []
  const shared = {
    site,
    store,
    content,
    files,
    embeds: new Embeds({ providers: site.embedProviders, networks, log, now }),
    templates,
    hooks,
    log,
    caches: newCaches(() => store.changes(), memory),
    metrics,
    staticBaseUrl: options.staticBaseUrl ?? site.staticBaseUrl,
    isExternalFront: false,
    isStaticBuild: false,
    origin: null,
    now,
    as,
  }
  const ordinary: Requested = {
    locale: site.defaultLocale,
    mode: 'published',
    explicit: { locale: null, mode: null },
  }
  return (actor, requested = ordinary) => ({ ...shared, caching: newCaching(), actor, ...requested })
}
