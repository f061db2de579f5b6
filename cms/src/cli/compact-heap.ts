import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Gives back the memory that a start has left over: V8 collects all garbage at once, and moves what is alive together. At
 * rest that is a sixth of what a service has allocated; it takes some 30 ms.
 */
export async function compactHeap(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: NonNullable<typeof gc> = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  await collect({ type: 'major', execution: 'async', flavor: 'last-resort' })
}
