import { expect, it } from 'vitest'
import { site } from './answers-site.ts'
import { sampledDatabases } from './databases.ts'
import { uploadedImage } from './media.ts'
import { describeService, type Service } from './service.ts'
import { send } from './wire.ts'

// Whatever is read has a locale and a mode, or ignores both: those that there are not are refused everywhere, also
// where the answer would be the same, and when it is cached.

const NONSENSE = [
  'aposMode=nonsense',
  'aposLocale=xx',
  'aposLocale=en:nonsense',
  'aposMode[]=draft&aposMode[]=published',
]

describeService(
  'locales and modes that there are not',
  { site, on: sampledDatabases('unknown context') },
  (service) => {
    it('§0.4 are refused wherever something is read', async () => {
      const wrong: string[] = []
      const credential = { authorization: 'ApiKey key-admin' }
      for (const [path, headers] of [...(await publicPaths(service)), ...(await routePaths(service, credential))]) {
        const ask = (query: string) => send(service.address, { method: 'GET', path: `${path}?${query}`, headers })
        // From now on the answer is cached, where it can be.
        await ask('aposMode=published')
        const statuses = await Promise.all(NONSENSE.map(async (query) => (await ask(query)).status))
        if (statuses.some((status) => status !== 400)) wrong.push(`${path}: ${statuses}`)
      }
      expect(wrong).toEqual([])
    })
  },
)

type Target = readonly [path: string, headers: Readonly<Record<string, string>>]

/** Pages, files for search engines, and an upload, as visitors read them. */
async function publicPaths(service: Service): Promise<Target[]> {
  const { _url: file } = await uploadedImage(service)
  const paths = ['/', '/fr/', '/nowhere', '/robots.txt', '/sitemap.xml', '/llms.txt', '/api/v1/docs']
  return [...paths, new URL(String(file), 'http://site.test').pathname].map((path) => [path, {}])
}

/** A path of each route that reads. */
async function routePaths({ app, admin }: Service, headers: Target[1]): Promise<Target[]> {
  const { body: article } = await admin.post('article', { title: 'Read' })
  const routes = app.routes.filter(({ method, page }) => method === 'GET' && page === undefined)
  const names = { ':_id': article.aposDocId, ':locale': 'en', ':mode': 'published' }
  const paths = routes.map(({ path }) => {
    return Object.entries(names)
      .reduce((rest, [name, value]) => rest.replace(name, value), path)
      .replaceAll(/:\w+/g, 'x')
  })
  return [...new Set(paths)].map((path) => [path, headers])
}
