import { AsyncLocalStorage } from 'node:async_hooks'
import type { Html } from '../base/html.ts'
import { copyJson, type JsonObject } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import type { SpanFacts } from '../base/spans.ts'
import { inSpan } from '../base/tracing.ts'
import { FEATURE_HOOKS } from '../model/compile/check-declarations.ts'
import type { Site, Type } from '../model/declared/types.ts'
import type {
  CommittedHook,
  Context,
  HookEvent,
  HookRunner,
  Hooks,
  InlineHook,
  Listener,
  NamedHooks,
  Scene,
  VersionEvent,
  WriteContext,
} from './context.ts'
import type { SaveEvent } from './events.ts'

/** How many commits may have hooks running at the same time; further writes wait. */
const MOST_RUNNING = 1000

/** How many saves and deletions in a row the hooks of one another may begin after their commits: more than any site means to. */
const MOST_IN_A_ROW = 50

/** How many there were until what runs now. */
const inARow = new AsyncLocalStorage<number>()

type Events<Name extends CommittedHook> = () => Iterable<HookEvent<Name>> | AsyncIterable<HookEvent<Name>>

/** A hook of either form. */
interface RunnableListener {
  readonly waits: boolean
  run(event: never, ctx: Context): void | Promise<void>
}

/** Collects the hooks of all features, in their order. Those of a document's type come before them. */
export function hookRunner(all: readonly (NamedHooks | undefined)[], site: Site, log: Log): HookRunner {
  return new FeatureHooks(
    all.flatMap((hooks) => (hooks === undefined ? [] : [hooks, ...ofEvents(hooks, site)])),
    site,
    log,
  )
}

function namesOf(features: readonly Partial<Hooks>[]): ReadonlySet<keyof Hooks> {
  // `as`: it lists the names of all hooks.
  const names = FEATURE_HOOKS as readonly (keyof Hooks)[]
  return new Set(names.filter((name) => features.some((hooks) => hooks[name] !== undefined)))
}

class FeatureHooks implements HookRunner {
  readonly names: ReadonlySet<keyof Hooks>
  readonly #features: readonly Partial<Hooks>[]
  readonly #log: Log
  readonly #listeners: Readonly<Record<CommittedHook, readonly RunnableListener[]>>
  readonly #rendering: readonly Partial<Hooks>[]
  /** Whether an answer waits for the `afterSave` of any type. */
  readonly #typesWait: boolean
  readonly #running = new Set<Promise<void>>()
  #failures = 0

  constructor(features: readonly Partial<Hooks>[], site: Site, log: Log) {
    this.#features = features
    this.names = namesOf(features)
    this.#log = log
    this.#listeners = {
      afterSave: features.flatMap(({ afterSave }) => (afterSave ? [runnable(afterSave)] : [])),
      afterRemove: features.flatMap(({ afterRemove }) => (afterRemove ? [runnable(afterRemove)] : [])),
    }
    this.#rendering = features.filter(({ renderWidget }) => renderWidget !== undefined)
    this.#typesWait = [...site.types.values()].some((type) => typeListener(type)?.waits)
  }

  has(name: keyof Hooks, types: readonly Type[]): boolean {
    return (
      this.names.has(name) ||
      types.some(({ hooks }) => (name === 'beforeSave' || name === 'afterSave') && hooks[name] !== undefined)
    )
  }

  async run<Name extends InlineHook>(name: Name, ...args: Parameters<Hooks[Name]>): Promise<void> {
    if (name === 'beforeSave') await runOfType(...(args as unknown as [SaveEvent, WriteContext]))
    for (const hooks of this.#features) {
      // The compiler cannot follow one name through the union of all hooks: the arguments are those of `name`.
      const hook = hooks[name] as unknown as ((...given: typeof args) => void | Promise<void>) | undefined
      if (hook !== undefined) await inSpan(spanOf(name), async () => hook.apply(hooks, args))
    }
  }

  async dataOfVersion(event: VersionEvent, ctx: Context): Promise<JsonObject> {
    let data: JsonObject = {}
    for (const { beforeVersion } of this.#features) {
      if (beforeVersion === undefined) continue
      const added = copyJson(data)
      try {
        const given = { ...event, content: copyJson(event.content), data: added }
        await inSpan(spanOf('beforeVersion'), async () => beforeVersion(given, ctx))
        data = JSON.parse(JSON.stringify(added))
      } catch (error) {
        this.#recordFailure(error, 'A hook failed while a version was recorded.')
      }
    }
    return data
  }

  renderWidget(html: Html, widget: JsonObject, scene: Scene): Html {
    for (const { renderWidget } of this.#rendering) html = renderWidget?.(html, widget, scene) ?? html
    return html
  }

  async notify<Name extends CommittedHook>(name: Name, events: Events<Name>, ctx: Context): Promise<void> {
    const mayWait = this.#listeners[name].some(({ waits }) => waits) || (name === 'afterSave' && this.#typesWait)
    if (mayWait) await this.#notify(name, events, { ctx, waits: true })
    if (this.#running.size >= MOST_RUNNING) await Promise.race(this.#running)
    const work = this.#notify(name, events, { ctx, waits: false })
      .catch((error: unknown) => this.#recordFailure(error, 'The hooks for a save could not be run.'))
      .finally(() => this.#running.delete(work))
    this.#running.add(work)
  }

  /** Runs the listeners for which the answer waits, or the others. */
  async #notify<Name extends CommittedHook>(
    name: Name,
    events: Events<Name>,
    { ctx, waits }: { readonly ctx: Context; readonly waits: boolean },
  ): Promise<void> {
    const before = inARow.getStore() ?? 0
    for await (const event of events()) {
      const ofType = name === 'afterSave' ? typeListener(event.type) : null
      for (const listener of [...(ofType ? [ofType] : []), ...this.#listeners[name]]) {
        if (listener.waits !== waits) continue
        if (before >= MOST_IN_A_ROW) return this.#recordFailure(new Error(beginsItself(name, event.type)), NOT_RUN)
        try {
          // `as`: a listener to a name gets the events of that name.
          await inARow.run(before + 1, () =>
            inSpan(spanOf(name, event.type), async () => listener.run(event as never, ctx)),
          )
        } catch (error) {
          this.#recordFailure(error, 'A hook failed after its document was saved.')
        }
      }
    }
  }

  #recordFailure(error: unknown, message: string): void {
    this.#failures += 1
    this.#log.error({ error }, message)
  }

  failures(): number {
    return this.#failures
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
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

const NOT_RUN = 'Hooks were not run after a save.'

function beginsItself(name: CommittedHook, { name: type }: Type): string {
  return `${name} for the type "${type}": hooks saved or deleted ${MOST_IN_A_ROW} times, each after what the one before did. A hook that saves must know when to stop.`
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
  const hook = event.type.hooks.beforeSave as unknown as TypeHook | undefined
  if (hook !== undefined) await inSpan(spanOf('beforeSave', event.type), async () => hook(event.fields, event, ctx))
}

function spanOf(hook: keyof Hooks, type?: Type): () => SpanFacts {
  return () => ({
    name: `hook ${hook}`,
    kind: 'internal',
    attributes: { 'quire.hook.name': hook, ...(type && { 'quire.document.type': type.name }) },
  })
}
