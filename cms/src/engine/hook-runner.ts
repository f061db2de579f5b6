import { copyJson, type JsonObject } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import type { Site, Type } from '../model/types.ts'
import type { CommittedHook, Context, HookRunner, Hooks, Listener, NamedHooks, WriteContext } from './context.ts'
import type { SaveEvent } from './events.ts'

/** How many commits may have hooks running at the same time; further writes wait. */
const MOST_RUNNING = 1000

/** A hook of either form. */
interface RunnableListener {
  readonly waits: boolean
  run(event: never, ctx: Context): void | Promise<void>
}

/** Collects the hooks of all features, in their order. Those of a document's type come before them. */
export function hookRunner(all: readonly (NamedHooks | undefined)[], site: Site, log: Log): HookRunner {
  const features = all.flatMap((hooks) => (hooks === undefined ? [] : [hooks, ...ofEvents(hooks, site)]))
  const listenersBy = {
    afterSave: features.flatMap(({ afterSave }) => (afterSave ? [runnable(afterSave)] : [])),
    afterRemove: features.flatMap(({ afterRemove }) => (afterRemove ? [runnable(afterRemove)] : [])),
  }
  const rendering = features.filter(({ renderWidget }) => renderWidget !== undefined)
  const typesWaiting = [...site.types.values()].some((type) => typeListener(type)?.waits)
  const running = new Set<Promise<void>>()
  let failures = 0

  const runAll = async (listeners: readonly RunnableListener[], event: unknown, ctx: Context) => {
    for (const listener of listeners) {
      try {
        // `as`: a listener to a name gets the events of that name.
        await listener.run(event as never, ctx)
      } catch (error) {
        failures += 1
        log.error({ error }, 'A hook failed after its document was saved.')
      }
    }
  }
  const listenersOf = (name: CommittedHook, type: Type, waits: boolean) => {
    const own = name === 'afterSave' ? typeListener(type) : null
    return [...(own ? [own] : []), ...listenersBy[name]].filter((one) => one.waits === waits)
  }

  return {
    has: (name, types = []) =>
      features.some((hooks) => hooks[name] !== undefined) ||
      types.some(({ hooks }) => (name === 'beforeSave' || name === 'afterSave') && hooks[name] !== undefined),

    async run(name, ...args) {
      if (name === 'beforeSave') await runOfType(...(args as unknown as [SaveEvent, WriteContext]))
      for (const hooks of features) {
        // The compiler cannot follow one name through the union of all hooks: the arguments are those of `name`.
        const hook = hooks[name] as unknown as ((...given: typeof args) => void | Promise<void>) | undefined
        await hook?.apply(hooks, args)
      }
    },

    async dataOfVersion(event, ctx) {
      let data: JsonObject = {}
      for (const { beforeVersion } of features) {
        if (beforeVersion === undefined) continue
        const added = copyJson(data)
        try {
          await beforeVersion({ ...event, content: copyJson(event.content), data: added }, ctx)
          data = JSON.parse(JSON.stringify(added))
        } catch (error) {
          failures += 1
          log.error({ error }, 'A hook failed while a version was recorded.')
        }
      }
      return data
    },

    renderWidget(html, widget, scene) {
      for (const { renderWidget } of rendering) html = renderWidget?.(html, widget, scene) ?? html
      return html
    },

    async tell(name, events, ctx) {
      const notify = async (waits: boolean) => {
        for await (const event of events()) await runAll(listenersOf(name, event.type, waits), event, ctx)
      }
      const mayWait = listenersBy[name].some(({ waits }) => waits) || (name === 'afterSave' && typesWaiting)
      if (mayWait) await notify(true)
      if (running.size >= MOST_RUNNING) await Promise.race(running)
      const work = notify(false)
        .catch((error: unknown) => {
          failures += 1
          log.error({ error }, 'The hooks for a save could not be run.')
        })
        .finally(() => running.delete(work))
      running.add(work)
    },

    failures: () => failures,
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** Hooks that go by the name of their event, with the site's namespace or the usual one (§6). */
function ofEvents(hooks: NamedHooks, { namespace }: Site): Partial<Hooks>[] {
  return [...new Set([namespace, '@cms'] as `@${string}`[])].flatMap((prefix) => {
    const beforeSend = hooks[`${prefix}/page:beforeSend`]
    const getAllUrlMetadata = hooks[`${prefix}/url:getAllUrlMetadata`]
    const getAllAttachmentMetadata = hooks[`${prefix}/url:getAllAttachmentMetadata`]
    return [
      ...(beforeSend === undefined ? [] : [{ beforeSend }]),
      ...(getAllUrlMetadata === undefined ? [] : [{ getAllUrlMetadata }]),
      ...(getAllAttachmentMetadata === undefined ? [] : [{ getAllAttachmentMetadata }]),
    ]
  })
}

function runnable<Event>(listener: Listener<Event>): RunnableListener {
  if (typeof listener === 'function') return { waits: false, run: listener }
  return { waits: true, run: (event, ctx) => listener.run(event, ctx) }
}

/** Hooks that a site declares on a type get the fields first. */
function typeListener({ hooks }: Type): RunnableListener | null {
  const { afterSave } = hooks
  if (afterSave === undefined) return null
  // `as`: the model cannot name what hooks are given.
  const run = afterSave.run as unknown as TypeHook
  return { waits: afterSave.wait, run: (event: SaveEvent, ctx) => run(event.fields, event, ctx) }
}

type TypeHook = (fields: SaveEvent['fields'], event: SaveEvent, ctx: Context) => void | Promise<void>

async function runOfType(event: SaveEvent, ctx: WriteContext): Promise<void> {
  // `as`: the model cannot name what hooks are given.
  await (event.type.hooks.beforeSave as unknown as TypeHook | undefined)?.(event.fields, event, ctx)
}
