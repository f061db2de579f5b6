import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sampledDatabases } from './databases.ts'
import { forget, letForget } from './forgetful.ts'
import { RandomRequests } from './random-requests.ts'
import { isWhole, seed } from './sample.ts'
import { startProcesses } from './two-processes.ts'

const STEPS = isWhole ? 400 : 10
/** After so many writes at most somebody who forgets to announce them is found. */
const MOST_STEPS = 300
/** Whatever these change, only they say; what others change is seen by `announced.test.ts`. */
const FORGETFUL = ['documents.put', 'documents.insert', 'documents.remove']

/** How many answers this process has taken from its caches from now on. */
function countHits(): () => number {
  let hits = 0
  const count = (message: unknown) => {
    if (message !== null && typeof message === 'object' && 'isHit' in message && message.isHit === true) hits += 1
  }
  subscribe('quire.answers', count)
  onTestFinished(() => void unsubscribe('quire.answers', count))
  return () => hits
}

describe.each(sampledDatabases('cached answers'))('cached answers on $name', { timeout: 900_000 }, (databases) => {
  test.each(isWhole ? [true, false] : [false])(
    '§0.7 after a write no cached answer of any process contradicts it (a process of its own: %s)',
    async (isSeparate) => {
      const processes = await startProcesses(databases, isSeparate)
      onTestFinished(() => processes.stop(), 60_000)
      const requests = new RandomRequests(processes, seed)
      await requests.prepare()
      const hits = countHits()
      expect(await requests.run(STEPS)).toEqual([])
      expect(await requests.removeLocales()).toEqual([])
      expect(hits()).toBeGreaterThan(STEPS)
      expect(requests.statuses.get(200)).toBeGreaterThan(STEPS / 4)
      expect(requests.unsettled).toBeLessThan(STEPS / 10)
    },
  )

  test.runIf(isWhole).each(FORGETFUL)(
    '§0.7 a process whose %s says nothing of what it changes is found',
    async (method) => {
      const processes = await startProcesses(databases, false)
      onTestFinished(() => processes.stop(), 60_000)
      onTestFinished(letForget())
      const requests = new RandomRequests(processes, seed)
      await requests.prepare()
      for (const app of processes.caching) forget(app.store, method)
      expect(await requests.run(MOST_STEPS)).not.toEqual([])
    },
  )
})
