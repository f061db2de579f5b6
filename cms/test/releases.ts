import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { TestDatabases } from './databases.ts'
import { callerOf } from './service.ts'
import { SERVING_KEYS, type Serving } from './serving.ts'

/** A database for one test, with its tables: its address. */
export async function place({ createReady }: TestDatabases): Promise<string> {
  const database = await createReady()
  onTestFinished(() => database.drop())
  return database.url
}

/** A service for one test; ended with it. */
export async function serving(start: Promise<Serving>): Promise<Serving> {
  const started = await start
  onTestFinished(() => void started.end('SIGKILL'))
  return started
}

/** The status of an answer; null where there is none. */
export const statusOf = (answer: Promise<{ readonly status: number }>) =>
  answer.then(({ status }) => status).catch(() => null)

/** Some callers write notes until they are stopped: the titles that were answered 200, and all other answers. */
export function newNotes(address: string, count: number, name = 'note') {
  const editor = callerOf(address, SERVING_KEYS.editor, null)
  const written: string[] = []
  const others = new Set<number | null>()
  let isStopped = false
  const work = Array.from({ length: count }, async (_, writer) => {
    for (let number = 0; !isStopped; number += 1) {
      const title = `${name} ${writer} ${number}`
      const status = await statusOf(editor.post('note', { title }))
      if (status === 200) written.push(title)
      else others.add(status)
      if (status === null) await pause(20)
    }
  })
  return {
    written,
    others,
    stop: async () => {
      isStopped = true
      await Promise.all(work)
    },
  }
}
