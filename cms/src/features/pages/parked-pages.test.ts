import { describe, expect, test } from 'vitest'
import { inconsistencies } from '../../../test/consistency.ts'
import { testDatabases } from '../../../test/databases.ts'
import { readTrees, unsound } from '../../../test/trees.ts'
import { createApp } from '../../app.ts'
import { archiveId, parkedDocId } from '../../engine/pages/parked.ts'
import { defineSite, page } from '../../index.ts'

const types = [page('default-page', { publicApiProjection: ['title', 'slug', '_url', 'historicUrls'] })]
const parked = [{ parkedId: 'news', type: 'default-page', title: 'News', slug: '/News', fixed: ['slug'] }]
const locales = { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } }

describe.each(testDatabases)('§4.2 on $name: built-in pages that a site parks later', (databases) => {
  test('one whose slug an editor took gets the next free one, and the log says so once', async () => {
    const database = await databases.createReady()
    const warnings: object[] = []
    const log = { info: () => {}, warn: (data: object) => void warnings.push(data), error: () => {} }
    const started = async (pages: object) => {
      const keys = [{ key: 'k', role: 'admin', name: 'K' }] as const
      const app = await createApp(defineSite({ locales, types, pages }), { database: database.url, keys, log })
      const address = `${await app.listen(0, '127.0.0.1')}/api/v1/@cms/page`
      const headers = { authorization: 'ApiKey k', 'content-type': 'application/json' }
      const send = async (
        path: string,
        method = 'GET',
        body?: object,
      ): Promise<{ readonly [name: string]: unknown }> => {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) }
        return JSON.parse(await (await fetch(`${address}${path}`, { method, headers, ...sent })).text())
      }
      return { app, send }
    }
    try {
      const before = await started({})
      const place = { type: 'default-page', _targetId: '_home', _position: 0 }
      const taken = await before.send('', 'POST', { ...place, title: 'Ours', slug: '/news' })
      expect(taken).toMatchObject({ slug: '/news' })
      await before.app.close()
      for (const count of [1, 1]) {
        const { app, send } = await started({ parked })
        const id = parkedDocId('news')
        expect(await send(`/${id}`)).toMatchObject({
          slug: '/news-2',
          parkedId: 'news',
          title: 'News',
          historicUrls: [],
        })
        expect(await send(`/${id}?aposLocale=fr`)).toMatchObject({ slug: '/news', _url: '/fr/news' })
        expect(await send(`/${taken._id}`)).toMatchObject({ slug: '/news', historicUrls: [] })
        expect(warnings.filter((data) => 'parkedId' in data)).toHaveLength(count)
        await app.close()
      }
      expect(warnings).toContainEqual({ parkedId: 'news', locale: 'en', slug: '/news-2' })
      for (const tree of (await readTrees(database.url)).values()) expect(unsound(tree, archiveId)).toEqual([])
      const { app } = await started({ parked })
      await app.close()
      expect(await inconsistencies(database.url, app.site)).toEqual([])
    } finally {
      await database.drop()
    }
  })
})
