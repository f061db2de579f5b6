import type { HookRunner, Hooks } from './context.ts'

/** Collects the hooks of all features, in their order. */
export function hookRunner(all: readonly (Partial<Hooks> | undefined)[]): HookRunner {
  const byName = new Map<keyof Hooks, Partial<Hooks>[]>()
  for (const hooks of all) {
    for (const name of Object.keys(hooks ?? {}) as (keyof Hooks)[]) {
      byName.set(name, [...(byName.get(name) ?? []), hooks ?? {}])
    }
  }
  return {
    has: (name) => byName.has(name),
    async run(name, ...args) {
      for (const hooks of byName.get(name) ?? []) {
        // The compiler cannot follow one name through the union of all hooks: the arguments are those of `name`.
        await (hooks[name] as unknown as (...given: typeof args) => void | Promise<void>)(...args)
      }
    },
  }
}
