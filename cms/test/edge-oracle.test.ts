import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ANYTHING, Tags } from '../src/engine/tags.ts'
import { mergedNames } from '../src/features/purging/purge-requests.ts'
import { site } from './answers-site.ts'
import { sampledDatabases } from './databases.ts'
import { Dice } from './dice.ts'
import { comparedText, EdgeCache, keptAnswer } from './edge-cache.ts'
import { forget, letForget } from './forgetful.ts'
import type { Question } from './random-questions.ts'
import { RandomRequests } from './random-requests.ts'
import { isWhole, seed } from './sample.ts'
import { type Processes, startProcesses } from './two-processes.ts'

const STEPS = isWhole ? 150 : 10
/** After so many writes at most somebody who forgets to announce them is found. */
const MOST_STEPS = 300
const MOST_KEPT = 150
/** How far behind another process may be on a server (§0.7). */
const BEHIND_MS = 50
/** Nothing is sent: the test takes what commits have recorded. */
const NEVER_MS = 2 ** 30

const declaration = {
  ...site,
  options: {
    ...site.options,
    purge: { kind: 'http', url: 'http://127.0.0.1:9/', allowPrivate: true, sharedMaxAge: 86_400 },
  } as const,
}

/** Keeps public answers of three processes while these are written to, and compares them with new ones. */
class EdgeOracle {
  readonly cache = new EdgeCache()
  readonly #processes: Processes
  readonly #requests: RandomRequests
  readonly #dice = new Dice(seed)
  /** How many answers were purged, of those that were kept when there was a write. */
  purged = 0
  compared = 0

  constructor(processes: Processes) {
    this.#processes = processes
    this.#requests = new RandomRequests(processes, seed)
  }

  async prepare(): Promise<void> {
    await this.#requests.prepare()
    await this.#purge()
  }

  /** Writes so often; the first answers that were kept although they had changed. */
  async run(steps: number): Promise<unknown[]> {
    for (let step = 0; step < steps; step += 1) {
      await this.#fill()
      const { what } = await this.#requests.change()
      const stale = await this.stale()
      if (stale.length > 0) return [`${step}: ${what}`, ...stale]
    }
    return []
  }

  async removeLocales(): Promise<unknown[]> {
    await this.#fill()
    const found = await this.#requests.removeLocales()
    return [...found, ...(await this.stale())]
  }

  /** What is kept, and answered otherwise now. */
  async stale(): Promise<unknown[]> {
    await this.#purge()
    const { entries } = this.cache
    this.compared += entries.length
    const now = await this.#processes.askPlain(entries.map(([url]) => questionOf(url)))
    const different = entries.filter(([, { text }], index) => comparedText(now[index] ?? '') !== text)
    return different.map(([url, { text }]) => ({
      url,
      kept: text,
      now: comparedText(now[entries.findIndex(([one]) => one === url)] ?? ''),
    }))
  }

  async #fill(): Promise<void> {
    if (!this.#processes.databaseUrl.startsWith('sqlite:')) await pause(BEHIND_MS)
    const asked = this.#requests.publicQuestions()
    const answers = await this.#processes.ask(this.#dice.pick(this.#processes.addresses), asked)
    for (const [index, question] of asked.entries()) {
      const kept = keptAnswer(answers[index] ?? '')
      if (kept !== null) this.cache.keep(`${question.caller} ${question.path}`, kept)
    }
    while (this.cache.size > MOST_KEPT) this.cache.delete(this.#dice.pick(this.cache.entries)[0])
  }

  /** Purges what commits have recorded, and forgets the records. */
  async #purge(): Promise<void> {
    const { store } = this.#processes.plain
    const purges = await store.purges.listDue(Date.now() + 60_000, 1_000_000)
    const names = mergedNames(purges)
    await store.transaction((tx) => tx.purges.remove(purges))
    if (names === null) for (const [url] of this.cache.entries) this.cache.delete(url)
    else this.purged += this.cache.purge([ANYTHING, ...new Tags(await store.secret()).of(names)])
  }
}

function questionOf(url: string): Question {
  const [caller = '', path = ''] = url.split(' ')
  // `as`: the key of an answer begins with its caller.
  return { caller: caller as Question['caller'], path }
}

async function startOracle(databases: Parameters<typeof startProcesses>[0]) {
  const processes = await startProcesses(databases, false, { declaration, background: NEVER_MS, caching: 3 })
  onTestFinished(() => processes.stop(), 60_000)
  const oracle = new EdgeOracle(processes)
  await oracle.prepare()
  return { processes, oracle }
}

describe.each(sampledDatabases('purges'))('purges on $name', { timeout: 900_000 }, (databases) => {
  test('§6.8 whatever a write changes for the public, it purges', async () => {
    const { oracle } = await startOracle(databases)
    expect(await oracle.run(STEPS)).toEqual([])
    expect(await oracle.removeLocales()).toEqual([])
    expect(oracle.purged).toBeGreaterThan(STEPS)
    expect(oracle.compared).toBeGreaterThan(STEPS)
  })

  test.runIf(isWhole).each(['documents.put', 'documents.insert', 'documents.remove'])(
    '§6.8 a process whose %s records nothing of what it changes is found',
    async (method) => {
      onTestFinished(letForget())
      const { processes, oracle } = await startOracle(databases)
      for (const app of processes.caching) forget(app.store, method)
      expect(await oracle.run(MOST_STEPS)).not.toEqual([])
    },
  )
})
