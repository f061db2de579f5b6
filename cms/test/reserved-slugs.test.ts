import { describe, expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { checkContent } from '../src/cli/check-command.ts'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page } from '../src/model/declared/content-type.ts'
import { sampledDatabases } from './databases.ts'
import { callerOf, describeService } from './service.ts'
import { visit } from './visits.ts'

const ENGLISH = { en: { label: 'English' } }
const FRENCH = { fr: { label: 'Français', prefix: '/fr' } }
const siteWith = (locales: object, parkedSlug: `/${string}` = '/news') =>
  defineSite({
    locales: { ...ENGLISH, ...locales },
    types: [page('leaf')],
    pages: {
      publicApiProjection: ['title', '_url'],
      parked: [{ parkedId: 'news', type: 'leaf', title: 'News', slug: parkedSlug, fixed: ['title'] }],
    },
  })
const PLACE = { type: 'leaf', _targetId: '_home', _position: 0 }

describeService('§4.2b slugs at which no page is reached', { site: siteWith(FRENCH, '/fr') }, (service) => {
  const add = (body: object, query = '') => service.editor.post('@cms/page', { ...PLACE, ...body }, query)
  const made = async (body: object, query = '') => {
    const answer = await add(body, query)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const refusal = { status: 400, body: { name: 'invalid', data: { errors: [{ path: 'slug', name: 'invalid' }] } } }

  test('given ones are refused, naming the field', async () => {
    for (const slug of ['/api', '/api/v1/x', '/uploads', '/uploads/a', '/admin', '/admin/me', '/fr', '/fr/about']) {
      expect({ slug, ...(await add({ title: 'Given', slug })) }).toMatchObject(refusal)
      expect({ slug, ...(await add({ title: 'Given', slug }, 'aposMode=draft')) }).toMatchObject(refusal)
    }
    const { _id, aposDocId } = await made({ title: 'Changing' })
    for (const method of ['patch', 'put'] as const) {
      expect(await service.editor[method](`@cms/page/${_id}`, { title: 'Changing', slug: '/api' })).toMatchObject(
        refusal,
      )
    }
    expect((await service.editor.get(`@cms/page/${aposDocId}`)).body.slug).toBe('/changing')
    for (const slug of ['/apis', '/uploads-2', '/administration', '/france', '/changing/fr'])
      await made({ title: 'Fine', slug })
  })

  test('made ones take a number, of pages, copies, moves, carried slugs and built-in pages', async () => {
    expect(
      (await service.editor.get('@cms/page', 'flat=1&all=1')).body.results.map(({ slug }: { slug: string }) => slug),
    ).toContain('/fr-2')
    for (const [title, slug] of [
      ['API', '/api-2'],
      ['Uploads', '/uploads-2-2'],
      ['Admin', '/admin-2'],
      ['Fr', '/fr-2-2'],
    ]) {
      const body = await made({ title })
      expect(body.slug).toBe(slug)
      expect((await visit(service, slug ?? '')).status).toBe(200)
    }
    const above = await made({ title: 'Above' })
    const moved = await made({ title: 'Api', _targetId: above._id })
    const below = await made({ title: 'Below', _targetId: moved._id })
    expect([moved.slug, below.slug]).toEqual(['/above/api', '/above/api/below'])
    const { body } = await service.editor.patch(`@cms/page/${moved._id}`, { _targetId: '_home', _position: 0 })
    expect(body.slug).toBe('/api-3')
    expect((await service.editor.get(`@cms/page/${below._id}`)).body.slug).toBe('/api-3/below')
  })

  test('a slug that is reached below a prefix is numbered where it is copied to a locale without one', async () => {
    expect((await visit(service, '/fr/fr')).status).toBe(200)
    expect((await visit(service, '/f%72/fr')).status).toBe(200)
    const french = await made({ title: 'Uploads', slug: '/uploads' }, 'aposLocale=fr')
    expect((await visit(service, '/fr/uploads')).status).toBe(200)
    const { body } = await service.editor.post(`@cms/page/${french._id}/localize`, { toLocale: 'en', publish: true })
    expect(body.slug).toMatch(/^\/uploads-2/)
    expect((await visit(service, body.slug)).status).toBe(200)
    expect(await add({ title: 'Api', slug: '/api/x' }, 'aposLocale=fr')).toMatchObject(refusal)
  })
})

describe.each(sampledDatabases('reserved-slugs'))(
  '§4.2b a locale is added whose prefix is the slug of a page, on $name',
  (databases) => {
    test('the log and the check tell, and the page keeps its slug until it gets another', async () => {
      const database = await databases.createReady()
      const serving = async (
        site: ReturnType<typeof siteWith>,
        work: (send: ReturnType<typeof callerOf>) => Promise<void>,
      ) => {
        const logged: object[] = []
        const log = { info: () => {}, warn: (data: object) => void logged.push(data), error: () => {} }
        const keys = [{ key: 'k', role: 'admin', name: 'K' } as const]
        const app = await createApp(site, { database: database.url, keys, log })
        try {
          await work(callerOf(await app.listen(0, '127.0.0.1'), 'k', null))
        } finally {
          await app.close()
        }
        return logged
      }
      const pages = ['/fr', '/fr/below'].map((slug) => ({ locale: 'en', slug }))
      try {
        let id = ''
        expect(
          await serving(siteWith({}), async (admin) => {
            id = (await admin.post('@cms/page', { ...PLACE, title: 'Fr' })).body._id
            await admin.post('@cms/page', { ...PLACE, title: 'Below', _targetId: id })
          }),
        ).toEqual([])
        const logged = await serving(siteWith(FRENCH), async (admin) => {
          const kept = await admin.patch(`@cms/page/${id}`, { title: 'France' })
          expect([kept.status, kept.body.slug]).toEqual([200, '/fr'])
          expect((await admin.post(`@cms/page/${id}/publish`)).status).toBe(200)
          const env = { QUIRE_DATABASE: database.url }
          expect((await checkContent(siteWith(FRENCH), env)).unreached).toEqual(pages)
          expect((await admin.patch(`@cms/page/${id}`, { slug: '/france' })).status).toBe(200)
          expect((await checkContent(siteWith(FRENCH), env)).unreached).toEqual([])
        })
        expect(logged).toContainEqual({ pages })
      } finally {
        await database.drop()
      }
    })
  },
)
