import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../../../../example/command.ts'
import { quire } from '../../../test/command.ts'
import { uploadedImage } from '../../../test/media.ts'
import { isWhole } from '../../../test/sample.ts'
import { describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'
import { runWhenDue } from '../../engine/run-jobs.ts'
import { pruneVersions } from '../../engine/versions/tidy-versions.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'
import type { KeptVersions } from '../../model/declared/types.ts'
import type { Version } from '../../store/contract/store.ts'
import { cleanUploads } from '../media/clean-media.ts'
import { DAILY_PRUNING } from './feature.ts'

const VERSIONS = '@cms/document-versions'
const DAY_MS = 24 * 60 * 60 * 1000

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  versions: { keep: { days: 30 } },
  types: [
    piece('story', {
      fields: { add: { text: { type: 'string' }, cover: { type: 'attachment', fileGroup: 'images' } } },
    }),
  ],
})

interface Item {
  readonly _id: string
  readonly mode: string
  readonly changeCount: number
}

describeService('§4.4 pruning', { site }, (service) => {
  const operator = (daysLater = 0) => {
    const now = () => new Date(Date.now() + daysLater * DAY_MS)
    return { ...service.app.context({ kind: 'operator' }), now }
  }
  const make = async () =>
    (await service.editor.post('story', { title: 'Made' }, 'aposMode=draft')).body.aposDocId as string
  const listed = async (docId: string): Promise<Item[]> =>
    (await service.editor.get(VERSIONS, `docId=${docId}`)).body.results
  const prune = (keep: Partial<KeptVersions>, isDryRun = false) =>
    pruneVersions(operator(), { days: null, count: null, ...keep }, { isDryRun })

  /** Adds versions of some days ago, the oldest first. */
  async function add(docId: string, days: readonly number[], more: Partial<Version> = {}): Promise<string[]> {
    const ids = days.map(() => newId())
    await service.app.store.transaction(async (tx) => {
      for (const [index, day] of days.entries()) {
        const createdAt = new Date(Date.now() - day * DAY_MS).toISOString()
        const author = { author: 'A', authorId: 'a', ai: false, restoredFrom: null, label: null, data: null }
        const of = { docId, locale: 'en', mode: 'draft', type: 'story', updatedAt: null } as const
        await tx.versions.add(
          { id: ids[index] ?? '', createdAt, ...of, ...author, ...more },
          { title: `${day} days ago` },
        )
      }
    })
    return ids
  }

  it('deletes draft versions that are too old, or too many; with both, only those that neither keeps', async () => {
    const id = await make()
    const [ancient, old, , recent] = await add(id, [90, 40, 20, 10])
    const left = async () => (await listed(id)).map(({ _id }) => _id)
    await prune({ days: 60, count: 5 })
    expect(await left()).toHaveLength(5)
    await prune({ days: 60, count: 4 })
    expect(await left()).not.toContain(ancient)
    await prune({ days: 30 })
    expect(await left()).not.toContain(old)
    await prune({ count: 2 })
    expect(await left()).toEqual([expect.any(String), recent])
  })

  it('never publications, versions with a label, and the newest one', async () => {
    const id = await make()
    await prune({ days: 1 })
    const published = await add(id, [300, 200], { mode: 'published' })
    const [labelled] = await add(id, [250], { label: 'As it was printed' })
    await add(id, [280, 220, 100])
    const [newest] = await listed(id)
    expect(await prune({ days: 1, count: 1 })).toBe(3)
    expect((await listed(id)).map(({ _id }) => _id)).toEqual([newest?._id, published[1], labelled, published[0]])
    const other = await make()
    await service.app.store.transaction((tx) => tx.versions.removeOf(other, 'en'))
    const [, last] = await add(other, [400, 300])
    expect(await prune({ days: 1 })).toBe(1)
    expect((await listed(other)).map(({ _id }) => _id)).toEqual([last])
  })

  it('an autosaved version is as old as its last autosave', async () => {
    const id = await make()
    await add(id, [100], { updatedAt: new Date(Date.now() - 5 * DAY_MS).toISOString() })
    expect(await prune({ days: 10 })).toBe(0)
    expect(await prune({ days: 4 })).toBe(1)
  })

  it('a dry run deletes nothing and counts the same', async () => {
    const id = await make()
    await add(id, [90, 80, 70])
    expect(await prune({ days: 60 }, true)).toBe(3)
    expect(await listed(id)).toHaveLength(4)
    expect(await prune({ days: 60 })).toBe(3)
    expect(await prune({ days: 60 }, true)).toBe(0)
  })

  it('changes are counted against what is left', async () => {
    const id = await make()
    await add(id, [90, 80])
    await service.editor.patch(`story/${id}:en:draft`, { text: 'New' })
    await prune({ days: 60 })
    const [newest, first] = await listed(id)
    expect([newest?.changeCount, first?.changeCount]).toEqual([1, 0])
    expect((await service.editor.get(`${VERSIONS}/${first?._id}/changes`)).body.compared).toBe(false)
  })

  it('tells how far it is, and goes on where it was stopped', async () => {
    for (let index = 0; index < 50; index += 1) await add(await make(), [90, 80])
    const seen: number[] = []
    const stop = new AbortController()
    const onProgress = (done: number, total: number) => {
      seen.push(done / total)
      stop.abort()
    }
    const keep = { days: 60, count: null }
    const first = await pruneVersions(operator(), keep, { onProgress, signal: stop.signal })
    expect(first).toBeGreaterThan(0)
    expect(seen).toHaveLength(1)
    const rest = await pruneVersions(operator(), keep, { onProgress: (done, total) => seen.push(done / total) })
    expect(first + rest).toBe(100)
    expect(seen.at(-1)).toBe(1)
  })

  it('files that only pruned versions named go with the next cleaning of uploads', async () => {
    const [one, other] = [await uploadedImage(service), await uploadedImage(service)]
    const { body } = await service.editor.post('story', { title: 'Covered', cover: one }, 'aposMode=draft')
    await service.editor.patch(`story/${body._id}`, { cover: other })
    const later = operator(3)
    const isKept = async () => (await service.app.store.attachments.existing([one._id, other._id])).size
    await cleanUploads(later)
    expect(await isKept()).toBe(2)
    expect(await pruneVersions(later, { days: 1, count: null })).toBeGreaterThan(0)
    await cleanUploads(later)
    expect(await isKept()).toBe(1)
  })

  it('runs alongside saves and lists of the same documents', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, make))
    const failures: unknown[] = []
    let isOver = false
    const saving = ids.map(async (id, writer) => {
      for (let count = 0; count < (isWhole ? 25 : 8); count += 1) {
        // The same contents come and go, in two locales: what is dropped is what is written.
        const saved = await service.editor.patch(`story/${id}:en:draft`, { text: `${(count + writer) % 3}` })
        const copied = await service.editor.post(`story/${id}/localize`, { toLocale: 'fr', update: true })
        if (saved.status !== 200) failures.push(saved.body)
        if (copied.status !== 200) failures.push(copied.body)
        const list = await service.editor.get(VERSIONS, `docId=${id}`)
        if (list.status !== 200) failures.push(list.body)
      }
    })
    const pruning = (async () => {
      while (!isOver) await prune({ count: 1 })
    })()
    await Promise.all(saving)
    isOver = true
    await pruning
    expect(failures).toEqual([])
    for (const id of ids) expect((await listed(id))[0]).toMatchObject({ live: true })
  })

  it('one process prunes once a day where the site says what to keep', async () => {
    const id = await make()
    await add(id, [90])
    await runWhenDue(operator(29), DAILY_PRUNING)
    await Promise.all([runWhenDue(operator(30), DAILY_PRUNING), runWhenDue(operator(30), DAILY_PRUNING)])
    expect(await listed(id)).toHaveLength(1)
    await add(id, [90])
    await runWhenDue(operator(30.5), DAILY_PRUNING)
    expect(await listed(id)).toHaveLength(2)
    await runWhenDue(operator(31.5), DAILY_PRUNING)
    expect(await listed(id)).toHaveLength(1)
  })
})

describe('§4.4 quire versions prune', () => {
  it('prunes what the site or the command line says', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-prune-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const siteFile = join(folder, 'site.ts')
    await writeFile(siteFile, `export const site = { kind: 'site', options: {} }\n`)
    await (await serve(folder, siteFile)).stop()
    const run = (...args: string[]) => quire(folder, ['versions', 'prune', '--site', siteFile, ...args])
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('Say which versions to keep') })
    expect(await run('--days', 'many')).toMatchObject({ code: 1, err: expect.stringContaining('--days must be') })
    expect((await run('--days', '30', '--dry-run')).out).toContain('0 versions would be deleted.')
    expect((await run('--count', '5')).out).toContain('Deleted 0 versions.')
  })
})
