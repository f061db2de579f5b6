import { beforeAll, expect, it } from 'vitest'
import { imagePiece, upload, uploadedImage } from '../../../test/media.ts'
import { describePages } from '../../../test/pages.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import type { UrlMetadata } from '../../model/declared/url-metadata.ts'

const PATH = '/api/v1/@cms/url'
/** The stylesheet, the last URL of every locale. */
const stylesheet = (locale: string) => `/api/v1/@cms/styles/stylesheet/locale/${locale}/published`
const FRONT = { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT_KEY }

describePages('URL metadata', { frontKey: FRONT_KEY }, (pages) => {
  const metadata = async (query = ''): Promise<UrlMetadata> => {
    const { status, data, headers } = await visit(pages.service, `${PATH}?${query}`, { front: true })
    expect({ status, data }).toMatchObject({ status: 200 })
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    return data
  }
  const urls = async (query = '') => (await metadata(query)).pages.map(({ url }) => url)
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    const { service, admin } = pages
    ids.about = (await pages.made('About')).aposDocId
    const hidden = await pages.made('Hidden', { visibility: 'loginRequired' })
    await pages.made('Below', { _targetId: hidden._id })
    await pages.made('Draft', {}, 'aposMode=draft')
    const gone = await pages.made('Gone')
    const archived = await admin.patch(`@cms/page/${gone._id}`, { _targetId: '_archive', _position: 'lastChild' })
    expect(archived).toMatchObject({ status: 200 })
    ids.articles = (await pages.made('Articles', { type: 'article-page' })).aposDocId
    const topics = await Promise.all(['Art', 'Water'].map(async (title) => (await admin.post('topic', { title })).body))
    ids.art = topics[0].aposDocId
    ids.water = topics[1].aposDocId
    const image = await imagePiece(service)
    const unused = await imagePiece(service, { title: 'Unused' })
    const inside = await imagePiece(service, { title: 'Inside' })
    const members = await imagePiece(service, { title: 'Of members', visibility: 'loginRequired' })
    ids.image = image.attachment._id
    ids.unused = unused.attachment._id
    ids.inside = inside.attachment._id
    ids.members = members.attachment._id
    const body = { items: [{ type: '@cms/image', _image: [inside] }] }
    const images: Record<number, object> = { 1: { _image: [image] }, 2: { body }, 3: { _image: [members] } }
    for (let number = 1; number <= 21; number += 1) {
      const _topics = [topics[number % 2]]
      await admin.post('article', { title: `Article ${number}`, _topics, ...images[number] })
    }
    const secret = { title: 'Secret', visibility: 'loginRequired', _topics: [topics[0]], _image: [unused] }
    await admin.post('article', secret)
    await admin.post('article', { title: 'Unpublished', _topics: [topics[0]] }, 'aposMode=draft')
    await admin.post('secret', { title: 'Of editors' })
  })

  it('§4.6 lists pages, pieces, further pages and filter values in use, each once', async () => {
    const { pages: entries, attachments } = await metadata()
    expect(attachments).toBeNull()
    const found = entries.map(({ url }) => url)
    expect(found).toEqual([
      '/',
      '/about',
      '/articles',
      '/articles/page/2',
      '/articles/page/3',
      '/articles/topics/art',
      '/articles/topics/water',
      '/articles/topics/water/page/2',
      '/hidden/below',
      ...Array.from({ length: 21 }, (_, index) => `/articles/article-${index + 1}`).toSorted(),
      stylesheet('en'),
    ])
    const about = { type: 'default-page', aposDocId: ids.about, i18nId: ids.about, _id: `${ids.about}:en:published` }
    expect(entries.find(({ url }) => url === '/about')).toEqual({
      url: '/about',
      ...about,
      changefreq: 'daily',
      priority: 1,
    })
    const idsOf = (url: string) => entries.find((entry) => entry.url === url)?.i18nId
    expect(idsOf('/articles/page/2')).toBe(`${ids.articles}.2`)
    expect(idsOf('/articles/topics/art')).toBe(`${ids.articles}.topics.${ids.art}.1`)
    expect(idsOf('/articles/topics/water/page/2')).toBe(`${ids.articles}.topics.${ids.water}.2`)
    expect(entries.find(({ url }) => url === '/articles/article-1')).toMatchObject({ type: 'article' })
  })

  it('§4.6 every page that is listed is there', async () => {
    for (const url of await urls()) {
      const { status } = await visit(pages.service, url, { front: true })
      expect({ url, status }).toEqual({ url, status: 200 })
    }
  })

  it('§2.7 what nothing leads to is built, and stays out of sitemaps', async () => {
    const { pages: entries } = await metadata()
    expect(entries.filter((entry) => entry.sitemap === false).map(({ url }) => url)).toEqual([
      '/hidden/below',
      stylesheet('en'),
    ])
  })

  it('§4.6 needs the key, and the header that claims it', async () => {
    for (const [visitor, text] of [
      [{}, null],
      [{ role: 'admin' }, null],
      [{ headers: { 'apos-external-front-key': FRONT_KEY } }, null],
      [{ headers: { ...FRONT, 'apos-external-front-key': 'wrong' } }, 'forbidden'],
      [{ headers: { ...FRONT, 'apos-external-front-key': '' } }, 'forbidden'],
      [{ headers: { 'x-requested-with': 'AposExternalFront' } }, 'forbidden'],
    ] as const) {
      const answer = await visit(pages.service, `${PATH}?attachments=1&attachmentScope=odd`, visitor)
      expect(answer).toMatchObject({ status: 403 })
      if (text === null) expect(answer.data).toEqual({ name: 'forbidden', message: 'forbidden', data: {} })
      else expect(answer.text).toBe(text)
    }
  })

  it('§4.6 refuses drafts, unknown scopes and sizes, and lists where one value is expected', async () => {
    for (const query of [
      'aposMode=draft',
      'aposLocale=fr:draft',
      'aposLocale=xx',
      'attachments=1&attachmentScope=odd',
      'attachmentScope=',
      'attachmentSizes=huge',
      'attachmentSkipSizes=original,huge',
      'attachmentSizes[]=full',
      'attachmentScope[]=used',
    ]) {
      const { status, data } = await visit(pages.service, `${PATH}?${query}`, { front: true })
      expect({ query, status, name: data.name }).toEqual({ query, status: 400, name: 'invalid' })
    }
    expect(await visit(pages.service, PATH, { front: true, method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  })

  it('§4.6 each locale has its own; a private one is open to the key alone', async () => {
    await pages.admin.post(`@cms/page/${ids.about}:en:published/localize`, { toLocale: 'fr' })
    await pages.admin.post(`@cms/page/${ids.about}:fr:draft/publish`, {})
    expect(await urls('aposLocale=fr')).toEqual(['/fr/', '/fr/about', stylesheet('fr')])
    expect((await metadata('aposLocale=fr')).pages[1]).toMatchObject({
      i18nId: ids.about,
      _id: `${ids.about}:fr:published`,
    })
    expect(await urls('aposLocale=it')).toEqual(['/it/', stylesheet('it')])
    for (const path of [`${PATH}?aposLocale=it`, `/it${PATH}`, `/it${PATH}/literal-routes`]) {
      for (const visitor of [{}, { role: 'admin' }] as const) {
        const { status, data } = await visit(pages.service, path, visitor)
        expect([status, data]).toEqual([403, { name: 'forbidden', message: 'forbidden', data: {} }])
      }
    }
    expect((await visit(pages.service, `/fr${PATH}`, { front: true })).data.pages[0].url).toBe('/fr/')
  })

  it('§4.6 signed-in visitors of a front end get no more', async () => {
    const { data } = await visit(pages.service, PATH, { front: true, role: 'admin' })
    expect(data).toEqual(await metadata())
  })

  it('§4.6 the files of what the pages use, or of everything that is not archived', async () => {
    const { attachments } = await metadata('attachments=1')
    expect(attachments?.uploadsUrl).toBe('/uploads')
    expect(attachments?.results.map(({ _id }) => _id)).toEqual([ids.image, ids.inside].toSorted())
    const used = attachments?.results.find(({ _id }) => _id === ids.inside)
    expect(used?.urls.map(({ size }) => size)).toEqual([
      'max',
      'full',
      'two-thirds',
      'one-half',
      'one-third',
      'one-sixth',
      'original',
    ])
    for (const { path } of used?.urls ?? []) {
      expect(path.startsWith('/attachments/')).toBe(true)
      expect({ path, status: (await visit(pages.service, `/uploads${path}`)).status }).toEqual({ path, status: 200 })
    }
    const loose = await uploadedImage(pages.service)
    const archived = await imagePiece(pages.service, { title: 'Archived' })
    await pages.admin.patch(`@cms/image/${archived._id}`, { archived: true })
    const all = (await metadata('attachments=true&attachmentScope=all')).attachments?.results.map(({ _id }) => _id)
    expect(all).toEqual([ids.image, ids.unused, ids.inside, ids.members, loose._id].toSorted())
  })

  it('§4.6 only the sizes that are asked for; files without sizes in any case', async () => {
    const { body } = await upload(pages.service, 'editor', 'plain text', 'notes.txt')
    const sizesOf = async (query: string) => {
      const { attachments } = await metadata(`attachments=1&attachmentScope=all&${query}`)
      const of = (id: unknown) => attachments?.results.find(({ _id }) => _id === id)
      expect(of(body._id)).toEqual({ _id: body._id, urls: [{ path: `/attachments/${body._id}-notes.txt` }] })
      return of(ids.image)?.urls.map(({ size }) => size)
    }
    expect(await sizesOf('attachmentSizes=full,one-half')).toEqual(['full', 'one-half'])
    expect(await sizesOf('attachmentSkipSizes=max,original')).not.toContain('original')
    expect(await sizesOf('attachmentSizes=full,max&attachmentSkipSizes=max')).toEqual(['full'])
    expect(await sizesOf('attachmentSizes=full&attachmentSkipSizes=full')).toBeUndefined()
  })

  it('§4.3 crops are listed under both of their names, in all sizes', async () => {
    const crop = { top: 10, left: 20, width: 100, height: 50 }
    expect((await pages.admin.post('@cms/attachment/crop', { _id: ids.image, crop })).status).toBe(200)
    const { attachments } = await metadata('attachments=1&attachmentSizes=full,original')
    const paths = attachments?.results.find(({ _id }) => _id === ids.image)?.urls.map(({ path }) => path) ?? []
    expect(paths.map((path) => path.replace(/^.*?\./, ''))).toEqual([
      'full.jpg',
      'jpg',
      '10.20.100.50.full.jpg',
      '10.20.100.50.jpg',
      '20.10.100.50.full.jpg',
      '20.10.100.50.jpg',
    ])
    for (const path of paths) {
      expect({ path, status: (await visit(pages.service, `/uploads${path}`)).status }).toEqual({ path, status: 200 })
    }
  })

  it('§4.6 pages between an index page and what it has are listed alone where they are there alone', async () => {
    const between = async (slug: string, type = 'default-page') => {
      return (await pages.made('Between', { slug, type, _targetId: ids.articles })).aposDocId
    }
    await between('/articles/article-2')
    await between('/articles/topics')
    const taken = [await between('/articles/topics/art'), await between('/articles/topics/water', 'article-page')]
    const found = (await metadata()).pages
    const at = (url: string) => found.filter((entry) => entry.url === url)
    expect(at('/articles/article-2')).toMatchObject([{ type: 'default-page' }])
    expect(at('/articles/topics/art')).toMatchObject([{ aposDocId: taken[0] }])
    expect(at('/articles/topics/water/page/2')).toMatchObject([{ i18nId: `${taken[1]}.2` }])
    expect(at('/articles/page/2')).toMatchObject([{ i18nId: `${ids.articles}.2` }])
    expect(new Set(found.map(({ url }) => url)).size).toBe(found.length)
    for (const { url } of found) {
      const { status } = await visit(pages.service, url, { front: true })
      expect({ url, status }).toEqual({ url, status: 200 })
    }
  })
})
