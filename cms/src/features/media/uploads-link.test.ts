import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startBucket } from '../../../test/bucket.ts'
import { sampledDatabases, type TestDatabase } from '../../../test/databases.ts'
import { type App, type AppOptions, createApp } from '../../app.ts'
import type { Context } from '../../engine/context.ts'
import { ATTACHMENTS } from '../../engine/media/file-names.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { cleanUploads } from './clean-media.ts'
import { importFile } from './upload-file.ts'
import { linkUploads } from './uploads-link.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOT_LINKED = { isLinked: false, unused: 0, leftOver: 0, unknown: { count: 0, names: [] } }

type Storage = Pick<AppOptions, 'uploads' | 'uploadsEndpoint'>
const storages: readonly (readonly [string, () => Promise<Storage & { end(): Promise<void> }>])[] = [
  [
    'a folder',
    async () => {
      const uploads = await mkdtemp(join(tmpdir(), 'quire-linked-'))
      return { uploads, end: () => rm(uploads, { recursive: true }) }
    },
  ],
  [
    'a bucket',
    async () => {
      const bucket = await startBucket('media')
      return { uploads: 's3://media/site', uploadsEndpoint: bucket.url, end: () => bucket.stop() }
    },
  ],
]

describe.each(storages)('uploads in %s and databases', (title, startStorage) => {
  describe.each(sampledDatabases(title))('on $name', (databases) => {
    let storage: Awaited<ReturnType<typeof startStorage>>
    const ends: (() => Promise<unknown>)[] = []
    beforeEach(async () => {
      storage = await startStorage()
    })
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end()
      await storage.end()
      vi.unstubAllEnvs()
    })

    async function newDatabase(): Promise<TestDatabase> {
      const database = await databases.createReady()
      ends.push(() => database.drop())
      return database
    }
    async function start(database: TestDatabase): Promise<App> {
      const { uploads, uploadsEndpoint } = storage
      const app = await createApp(defineSite({}), {
        database: database.url,
        ...(uploads === undefined ? {} : { uploads }),
        ...(uploadsEndpoint === undefined ? {} : { uploadsEndpoint }),
      })
      ends.push(() => app.close())
      return app
    }
    /** The operator of a service, some days later. */
    function operator(app: App, days = 0): Context {
      const time = new Date(Date.now() + days * DAY_MS)
      return { ...app.context({ kind: 'operator' }), now: () => time }
    }
    async function upload(app: App): Promise<string> {
      return (await importFile(operator(app), join(import.meta.dirname, 'upload-file.ts'), 'notes.txt')).id
    }
    async function filesOf(app: App): Promise<string[]> {
      const names: string[] = []
      for await (const name of operator(app).files.list(ATTACHMENTS)) names.push(name)
      return names.toSorted()
    }

    test('§4.3 a new database with old uploads removes none of them, until somebody confirms that it is theirs', async () => {
      const old = await start(await newDatabase())
      await upload(old)
      const before = await filesOf(old)
      const fresh = await start(await newDatabase())
      expect(await cleanUploads(operator(fresh, 30), { removesUnknown: true })).toEqual(NOT_LINKED)
      await upload(fresh)
      expect(await cleanUploads(operator(fresh, 30), { removesUnknown: true })).toEqual(NOT_LINKED)
      expect(await filesOf(fresh)).toEqual(expect.arrayContaining(before))
      await linkUploads(operator(fresh))
      expect(await cleanUploads(operator(fresh, 30))).toMatchObject({ unused: 1, unknown: { count: 1, names: before } })
      expect(await filesOf(fresh)).toEqual(before)
    })

    test('§4.3 an older state of the database with newer uploads removes none that it does not know', async () => {
      const app = await start(await newDatabase())
      await upload(app)
      expect(await cleanUploads(operator(app))).toMatchObject({ isLinked: true, unused: 0 })
      const later = await upload(app)
      // What a backup from before the second upload holds.
      const { store } = operator(app)
      await store.transaction(async (tx) => {
        await tx.attachments.removeUnused([later], '')
        await tx.attachments.forgetLeftOver([later])
      })
      const cleaned = await cleanUploads(operator(app, 30))
      expect(cleaned).toMatchObject({ isLinked: true, unused: 1, leftOver: 0, unknown: { count: 1 } })
      expect(await filesOf(app)).toEqual([...cleaned.unknown.names])
      expect(await cleanUploads(operator(app, 30), { removesUnknown: true })).toMatchObject({ leftOver: 1 })
      expect(await filesOf(app)).toEqual([])
    })

    test('§4.3 of two databases that share the uploads one cleans, and only what is its own', async () => {
      const [one, other] = [await start(await newDatabase()), await start(await newDatabase())]
      expect(await cleanUploads(operator(one))).toMatchObject({ isLinked: true })
      await upload(one)
      await upload(other)
      expect(await cleanUploads(operator(other, 30), { removesUnknown: true })).toEqual(NOT_LINKED)
      expect(await cleanUploads(operator(one, 30))).toMatchObject({ unused: 1, leftOver: 0, unknown: { count: 1 } })
      expect(await filesOf(one)).toHaveLength(1)
    })

    test('§4.3 two databases that meet before the first cleaning remove nothing of each other', async () => {
      const [one, other] = [await start(await newDatabase()), await start(await newDatabase())]
      await upload(one)
      await upload(other)
      const cleaned = [await cleanUploads(operator(one, 30)), await cleanUploads(operator(other, 30))]
      expect(cleaned).toEqual([NOT_LINKED, NOT_LINKED])
      expect(await filesOf(one)).toHaveLength(2)
    })

    test('§4.3 a database whose folder or bucket was replaced by an empty one is linked with that', async () => {
      const app = await start(await newDatabase())
      await cleanUploads(operator(app))
      const { files } = operator(app)
      await files.remove(['quire-database.txt'])
      await expect.poll(() => files.facts('quire-database.txt')).toBeNull()
      expect(await cleanUploads(operator(app))).toMatchObject({ isLinked: true })
      if (storage.uploadsEndpoint === undefined) {
        expect(await readdir(storage.uploads ?? '')).toContain('quire-database.txt')
      }
    })
  })
})
