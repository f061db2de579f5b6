import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, createApp } from '../src/index.ts'
import { Dice } from './dice.ts'
import { ListCallers } from './lists-callers.ts'
import { queryOf, randomListQuestion } from './lists-questions.ts'
import { site } from './lists-site.ts'
import { randomListWrite } from './lists-writes.ts'
import { isWhole, seed } from './sample.ts'
import { describeService } from './service.ts'
import { FRONT_KEY } from './visits.ts'

const STEPS = isWhole ? 400 : 8
const QUESTIONS = 14
/** How far behind another process may be on a server (§0.7). */
const BEHIND_MILLISECONDS = 50

const KEYS = [
  ...(['guest', 'contributor', 'editor', 'admin'] as const).map((role) => ({ role, key: `key-${role}`, name: role })),
  { role: 'editor', key: 'key-ai', name: 'ai', ai: true } as const,
]

/**
 * Lists, searches, choices, counts and index pages, against a look at each document: what is stored is read past the
 * service, after random writes by random callers, and all callers ask two processes.
 */
describeService('§4.1 lists', { site, isLong: true, timeout: 900_000, frontKey: FRONT_KEY }, (service, databases) => {
  const dice = new Dice(seed)
  let other: App
  let callers: ListCallers

  beforeAll(async () => {
    const { databaseUrl, uploads } = service
    other = await createApp(site, { database: databaseUrl, uploads, frontKey: FRONT_KEY, keys: KEYS })
    callers = new ListCallers(service, [service.address, await other.listen(0, '127.0.0.1')], dice)
    await callers.prepare()
  })

  afterAll(() => other.close())

  /** A process of a server hears of the last write within milliseconds, or at once who names it. */
  async function untilHeard(): Promise<Readonly<Record<string, string>>> {
    if (databases.name === 'SQLite') return {}
    if (callers.revision !== '' && dice.isBelow(0.5)) return { 'quire-revision': callers.revision }
    await pause(BEHIND_MILLISECONDS)
    return {}
  }

  it('say what a look at each document says, in each process, after any write', async () => {
    for (let step = 0; step < STEPS; step += 1) {
      const what = await callers.write(randomListWrite(callers.written))
      const headers = await untilHeard()
      for (let number = 0; number < QUESTIONS; number += 1) {
        const question = randomListQuestion(callers.asked)
        const by = { step, what, caller: question.caller, query: `${question.type}?${queryOf(question)}` }
        const expected = callers.expected(question)
        for (const answer of await callers.ask(question, headers))
          expect({ ...by, answer }).toEqual({ ...by, answer: expected })
      }
    }
    expect(callers.writes.get(200)).toBeGreaterThan(STEPS / 4)
    expect(callers.answers.get(200)).toBeGreaterThan(STEPS)
    expect([...callers.writes.keys()].filter((status) => status >= 500)).toEqual([])
  })
})
