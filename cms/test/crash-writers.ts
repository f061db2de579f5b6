import { BrokenConnection, type Caller } from './caller.ts'

/** What was answered, and therefore must be there. */
export interface Expected {
  /** The least `count` that the copy may have, by id and mode. */
  readonly counts: Map<string, number>
  readonly removed: Set<string>
}

/** Writes until the service is gone, and notes what was answered. Anything but success or a lost connection throws. */
export async function writeOn(caller: Caller, known: Expected, writer: number): Promise<number> {
  let answered = 0
  const noted = async (id: string, mode: 'draft' | 'published', count: number, answer: Promise<{ status: number }>) => {
    const { status } = await answer
    if (status !== 200) throw new Error(`A write was answered ${status}.`)
    known.counts.set(`${id}:en:${mode}`, count)
    if (mode === 'published') known.counts.set(`${id}:en:draft`, count)
    answered += 1
  }
  try {
    for (;;) {
      const title = `Survivor ${writer}`
      const made = await caller.post('article', { title, code: `w${writer}`, count: 0 })
      if (made.status !== 200) throw new Error(`A new document was answered ${made.status}.`)
      const id: string = made.body.aposDocId
      await noted(id, 'published', 0, Promise.resolve(made))
      await noted(id, 'published', 1, caller.patch(`article/${id}`, { count: 1, subtitle: 'patched' }))
      await noted(id, 'draft', 2, caller.patch(`article/${id}`, { count: 2, tags: ['red'] }, 'aposMode=draft'))
      await noted(id, 'published', 2, caller.post(`article/${id}/publish`))
      await caller.get('article', 'search=survivor&perPage=1')
      if (writer !== 0) continue
      for (const mode of ['draft', 'published']) known.counts.delete(`${id}:en:${mode}`)
      if ((await caller.delete(`article/${id}`)).status === 200) known.removed.add(id)
    }
  } catch (error) {
    if (!(error instanceof BrokenConnection)) throw error
    return answered
  }
}

/** The ids of what was answered and is not there, or is older than what was answered. */
export async function missingOf(caller: Caller, known: Expected): Promise<string[]> {
  const missing: string[] = []
  for (const mode of ['draft', 'published']) {
    const ids = [...known.counts.keys()].filter((id) => id.endsWith(mode))
    for (let start = 0; start < ids.length; start += 100) {
      const wanted = ids.slice(start, start + 100)
      const { body } = await caller.get('article', `perPage=100&${wanted.map((id) => `_ids[]=${id}`).join('&')}`)
      const found = new Map<string, { count: number }>(
        body.results.map((document: { _id: string }) => [document._id, document]),
      )
      missing.push(...wanted.filter((id) => (found.get(id)?.count ?? -1) < (known.counts.get(id) ?? 0)))
    }
  }
  for (const id of known.removed)
    if ((await caller.get(`article/${id}`)).status !== 404) missing.push(`${id} (removed)`)
  return missing
}
