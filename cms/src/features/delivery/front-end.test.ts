import { beforeAll, expect, it } from 'vitest'
import { describePages } from '../../../test/pages.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'

describePages('page data for an external front end', { isLong: true, frontKey: FRONT_KEY }, (pages) => {
  const front = (path: string) => visit(pages.service, path, { front: true })
  beforeAll(async () => {
    const { admin } = pages
    const about = await pages.made('About', { intro: 'Who we are' })
    await pages.made('Team', { _targetId: about._id })
    await pages.made('Articles', { type: 'article-page' })
    const topics = await Promise.all(['Art', 'Water'].map(async (title) => (await admin.post('topic', { title })).body))
    for (let number = 1; number <= 12; number += 1) {
      const _topics = [topics[number % 2]]
      await admin.post('article', { title: `Article ${number}`, _topics, rating: 4 })
    }
  })

  it('§4.2b holds a page with its ancestors and children, the home page two levels deep, and its locales', async () => {
    const { status, data } = await front('/about')
    expect({ status, text: data }).toMatchObject({ status: 200 })
    expect(data).toMatchObject({
      template: 'default-page:page',
      module: '@cms/page',
      locale: 'en',
      i18n: { direction: 'ltr' },
      page: { title: 'About', intro: 'Who we are', _url: '/about', slug: '/about', level: 1 },
      home: { _url: '/', title: 'Home' },
      global: { title: 'Global' },
      staticUrls: true,
    })
    expect(data.page._ancestors.map((page: { title: string }) => page.title)).toEqual(['Home'])
    expect(data.page._children).toMatchObject([{ title: 'Team', _url: '/about/team', _children: [] }])
    expect(data.home._children.map((page: { title: string }) => page.title)).toEqual(['About', 'Articles'])
    expect(data.home._children[0]._children).toMatchObject([{ title: 'Team' }])
    expect(data.localizations).toMatchObject([
      { locale: 'en', current: true, available: true, _url: '/about' },
      { locale: 'fr', current: false, available: false, _url: '/fr/' },
      { locale: 'es' },
      { locale: 'de' },
    ])
    expect(data).not.toHaveProperty('user')
  })

  it('§4.3 answers POST-as-GET as the GET, to front ends and to browsers', async () => {
    const posted = async (path: string, content: object, headers: object = {}) => {
      const body = JSON.stringify({ __aposGetWithQuery: content })
      const sent = { 'content-type': 'application/json', ...headers }
      const response = await fetch(pages.service.address + path, { method: 'POST', headers: sent, body })
      return { status: response.status, text: await response.text() }
    }
    const key = { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT_KEY }
    const { url: _, absoluteUrl: __, ...data } = JSON.parse((await posted('/articles', { page: 2 }, key)).text)
    const { url: ___, absoluteUrl: ____, ...expected } = (await front('/articles?page=2')).data
    expect(data).toEqual(expected)
    expect(data).toMatchObject({ currentPage: 2, query: { page: '2' } })
    const refreshed = await posted('/about', { aposRefresh: 1 })
    expect(refreshed.text).toBe((await visit(pages.service, '/about?aposRefresh=1')).text)
    expect(refreshed.text).not.toContain('<html')
    expect((await posted('/', {})).text).toBe((await visit(pages.service, '/')).text)
    expect(await posted('/nowhere', {})).toMatchObject({ status: 404, text: expect.stringContaining('<html') })
    expect((await posted('/about', { aposMode: 'draft' })).status).toBe(401)
    expect((await posted('/api/v1/nowhere', {})).text).toContain('"notfound"')
  })

  it('§4.5 a private locale is not there for visitors of a front end, but for those who are signed in', async () => {
    const { status, data } = await front('/it/')
    expect({ status, locale: data.locale, page: data.page }).toEqual({ status: 404, locale: 'en', page: null })
    expect(await visit(pages.service, '/it/', { front: true, role: 'guest' })).toMatchObject({
      status: 200,
      data: { locale: 'it', page: { title: 'Home' } },
    })
  })

  it('§0.7 no cache answers a front end, which sees private locales, for others or with what others see', async () => {
    const keyed = { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT_KEY }
    const known = await pages.service.anonymous.get('@cms/i18n/locales', '', keyed)
    expect(known.body).toHaveProperty('it')
    expect(known.headers.get('cache-control')).toBe('no-store')
    const anonymous = await pages.service.anonymous.get('@cms/i18n/locales')
    expect(anonymous.body).not.toHaveProperty('it')
    expect(anonymous.headers.get('cache-control')).toBe('public, no-cache')
    const vary = anonymous.headers.get('vary')?.toLowerCase().split(', ') ?? []
    expect(vary).toEqual(expect.arrayContaining(Object.keys(keyed)))
  })

  it('§4.2b an index page lists pieces page by page, with filters; past the end is not found', async () => {
    const first = await front('/articles')
    expect(first.data).toMatchObject({ template: 'article-page:index', currentPage: 1, totalPages: 2, totalPieces: 12 })
    expect(first.data.pieces).toHaveLength(10)
    expect(first.data.pieces[0]._url).toBe('/articles/article-12')
    expect(first.data.pieces[0]._parentUrl).toBe('/articles')
    expect(first.data.filters).toMatchObject([
      {
        name: 'topics',
        label: 'Topics',
        choices: [
          { value: 'art', label: 'Art', _url: '/articles/topics/art' },
          { value: 'water', label: 'Water' },
        ],
      },
    ])
    expect(first.data.piecesFilters).toEqual({
      topics: [
        { value: 'art', label: 'Art' },
        { value: 'water', label: 'Water' },
      ],
    })
    for (const path of ['/articles/page/2', '/articles?page=2']) {
      expect((await front(path)).data.pieces).toHaveLength(2)
    }
    for (const path of ['/articles/topics/art', '/articles?topics=art']) {
      const { data } = await front(path)
      expect(data).toMatchObject({ totalPieces: 6, filters: [{ choices: [{ value: 'art', active: true }, {}] }] })
    }
    for (const path of [
      '/articles/page/3',
      '/articles?page=3',
      '/articles?page=0',
      '/articles/page/x',
      '/articles/a/b',
    ]) {
      expect(await front(path)).toMatchObject({ status: 404, data: { template: '@cms/page:notFound', page: null } })
    }
    expect((await front('/articles?topics=none-such')).data).toMatchObject({ totalPieces: 0, pieces: [] })
  })

  it('§4.2b a piece has a page below its index page', async () => {
    const { data } = await front('/articles/article-7')
    expect(data).toMatchObject({
      template: 'article-page:show',
      page: { title: 'Articles' },
      piece: { title: 'Article 7', _url: '/articles/article-7', rating: 4 },
      previous: { title: 'Article 8', _url: '/articles/article-8' },
      next: { title: 'Article 6' },
    })
    expect((await front('/articles/article-12')).data).toMatchObject({ previous: null, next: { title: 'Article 11' } })
  })

  it('§4.2b what is not found has a template of its own, and status 404', async () => {
    for (const path of ['/nosuch', '/about/nosuch', '/articles/nosuch', '/a%00b']) {
      const { status, data } = await front(path)
      expect({ path, status, template: data.template }).toEqual({ path, status: 404, template: '@cms/page:notFound' })
      expect(data.home._children).toHaveLength(2)
    }
  })

  it('§0.2 what cannot be read is refused in JSON', async () => {
    for (const path of ['/about%zz', '/%ff', '/about?a=%zz', '/about?aposLocale=xx']) {
      expect({ path, ...(await front(path)) }).toMatchObject({ path, status: 400, data: { name: 'invalid' } })
    }
  })

  it('§4.2b redirects are data', async () => {
    for (const [path, url] of [
      ['/about/', '/about'],
      ['/About?x=1', '/about?x=1'],
      ['/fr', '/fr/'],
      ['//evil.example/', '/evil.example'],
    ]) {
      expect((await front(path ?? '')).data).toEqual({ redirect: true, url, status: 302 })
    }
  })

  it('§4.2b a widget that somebody edits can be rendered before it is saved', async () => {
    const { admin, service } = pages
    const article = (await admin.get('article', 'slug=article-7&aposMode=draft')).body.results[0]
    const topic = (await admin.get('topic')).body.results[0]
    const widget = { type: 'promo', heading: '<b>Soon</b>', _topics: [topic] }
    const body = { _docId: article._id, areaFieldId: 'doc.article.body', type: 'promo', widget }
    const path = '@cms/area/render-widget'
    const send = async (body: object, role: string | null, front = false, at = '') => {
      const keys = front ? { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT_KEY } : {}
      const answer = await fetch(`${service.address}${at}/api/v1/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(role === null ? {} : { authorization: `ApiKey key-${role}` }),
          ...keys,
        },
        body: JSON.stringify(body),
      })
      return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
    }
    for (const at of ['', '/fr']) {
      const html = await send(body, 'contributor', false, at)
      expect(html).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
      expect(html.text).toContain('&lt;b&gt;Soon&lt;/b&gt;')
    }
    const { text } = await send({ ...body, widget: { ...widget, evil: 1 } }, 'contributor', true)
    const data = JSON.parse(text)
    expect(data.widget).toMatchObject({ heading: '<b>Soon</b>', _edit: true, _docId: article._id, _options: {} })
    expect(data.widget._topics[0].title).toBe(topic.title)
    expect(data.widget).not.toHaveProperty('evil')
    expect(data).toMatchObject({ options: data.widget._options, module: '@cms/page', page: null })

    expect(await send({ ...body, widget: { ...widget, heading: {} } }, 'contributor', true)).toMatchObject({
      status: 400,
    })
    const wrong = { ...body, widget: { ...widget, heading: '' } }
    expect(await send(wrong, 'contributor', true)).toMatchObject({ status: 400 })
    expect(await send({ ...wrong, livePreview: true }, 'contributor', true)).toMatchObject({
      status: 200,
      text: 'aposLivePreviewSchemaNotYetValid',
    })
    for (const areaFieldId of ['doc.article.title', 'doc.nosuch.body', 'widget.promo.heading', '__proto__', 7, null]) {
      expect(await send({ ...body, areaFieldId }, 'editor')).toMatchObject({ status: 400 })
    }
    expect(await send(body, null)).toMatchObject({ status: 401 })
    expect(await send(body, null, true)).toMatchObject({ status: 401 })
    expect(await send(body, 'guest')).toMatchObject({ status: 403 })
    const published = { ...body, _docId: article._id.replace('draft', 'published') }
    expect(await send(published, 'contributor')).toMatchObject({ status: 403 })
    expect(await send({ ...body, _docId: 'nosuch' }, 'editor')).toMatchObject({ status: 404 })
  })

  it('§4.6 only the front end gets the paths to pass on', async () => {
    const path = '/api/v1/@cms/url/literal-routes'
    expect(await front(path)).toMatchObject({ status: 200, data: { patterns: ['/api/v1/@cms/styles/stylesheet/**'] } })
    expect(await visit(pages.service, path, { role: 'admin' })).toMatchObject({
      status: 403,
      data: { name: 'forbidden', message: 'forbidden' },
    })
  })

  it('§4.6 a wrong key is refused with a bare text', async () => {
    const answer = await visit(pages.service, '/about', { headers: { 'x-requested-with': 'AposExternalFront' } })
    expect(answer).toMatchObject({ status: 403, text: 'forbidden' })
  })
})
