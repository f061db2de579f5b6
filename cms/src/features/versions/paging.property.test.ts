import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'

const VERSIONS = '@cms/document-versions'
const START = Date.UTC(2020, 0, 1)

/** Versions in the order of their times, many at one time. */
const history = fc.array(
  fc.record({
    later: fc.constantFrom(0, 0, 1, 1, 1),
    authorId: fc.constantFrom('a', 'a', 'a', 'b', null),
    ai: fc.boolean(),
    mode: fc.constantFrom('draft', 'draft', 'draft', 'draft', 'draft', 'draft', 'published'),
    isRestored: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  } as const),
  { minLength: 1, maxLength: 60 },
)

interface Item {
  readonly _id: string
  readonly createdAt: string
  readonly versionIds?: readonly string[]
}

describeService('§4.4 pages of versions', { isLong: true, timeout: 120_000 }, (service) => {
  const made = async (versions: typeof history extends fc.Arbitrary<infer Of> ? Of : never) => {
    const { aposDocId: docId } = (await service.editor.post('article', { title: 'Made' })).body
    let time = START
    await service.app.store.transaction(async (tx) => {
      await tx.versions.removeOf(docId, 'en')
      for (const { later, isRestored, ...version } of versions) {
        time += later
        const createdAt = new Date(time).toISOString()
        const rest = { docId, locale: 'en', type: 'article', author: 'A', updatedAt: null, label: null, data: null }
        const restoredFrom = isRestored ? newId() : null
        await tx.versions.add({ ...rest, ...version, id: newId(), createdAt, restoredFrom }, { title: 'Made' })
      }
    })
    return docId as string
  }
  const walk = async (docId: string, query: string): Promise<Item[][]> => {
    const pages: Item[][] = []
    for (let next: string | null = ''; next !== null; ) {
      const { body } = await service.editor.get(VERSIONS, `docId=${docId}&${query}${next && `&before=${next}`}`)
      pages.push(body.results)
      next = body.next
    }
    return pages
  }
  const idsOf = (items: readonly Item[]) => items.flatMap(({ _id, versionIds = [_id] }) => versionIds)

  it('a caller who follows `next` sees every version once, in order, whatever their times and runs', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (versions) => {
        const docId = await made(versions)
        const all = (await service.app.store.versions.list({ docId, locale: 'en' })).map(({ id }) => id)
        expect(all).toHaveLength(versions.length)
        expect(idsOf((await walk(docId, '')).flat())).toEqual(all)
        const pages = await walk(docId, 'consolidate=1')
        expect(idsOf(pages.flat())).toEqual(all)
        for (const page of pages.slice(0, -1)) expect(idsOf(page).length).toBeGreaterThanOrEqual(10)
        const ai = await service.app.store.versions.list({ docId, locale: 'en' }, { ai: true })
        expect(idsOf((await walk(docId, 'ai=1')).flat())).toEqual(ai.map(({ id }) => id))
      }),
      { numRuns: 40 },
    )
  })

  it('items are the same wherever pages end: runs are whole, and only what belongs together is one', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (versions) => {
        const docId = await made(versions)
        const all = await service.app.store.versions.list({ docId, locale: 'en' })
        const runs = new Map<string, number>()
        // Written down another way than in the service: each version has a run of its own, or that of the newer one.
        all.forEach((version, index) => {
          const newer = all[index - 1]
          const [one, other] = [version, newer].map(
            (of) => of && of.mode === 'draft' && of.restoredFrom === null && `${of.authorId}`,
          )
          runs.set(version.id, one !== false && one === other && newer ? (runs.get(newer.id) ?? index) : index)
        })
        const isMixed = (run: number | undefined) =>
          new Set(all.filter(({ id }) => runs.get(id) === run).map(({ ai }) => ai)).size === 2
        const expected = all.map(({ id }) => (isMixed(runs.get(id)) ? `run ${runs.get(id)}` : id))
        const items = (await walk(docId, 'consolidate=1')).flat()
        const got = items.flatMap(({ _id, versionIds }) =>
          versionIds ? versionIds.map(() => `run ${runs.get(_id)}`) : [_id],
        )
        expect(got).toEqual(expected)
        expect(items).toHaveLength(new Set(expected).size)
      }),
      { numRuns: 40 },
    )
  })
})
