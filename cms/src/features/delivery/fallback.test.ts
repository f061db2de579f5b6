import { beforeAll, expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { html } from '../../base/html.ts'
import type { JsonObject } from '../../base/json.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'

const site = defineSite({
  baseUrl: 'https://x.test',
  static: true,
  sitemap: true,
  locales: {
    en: { label: 'English' },
    fr: { label: 'Français', prefix: '/fr' },
    ar: { label: 'العربية', prefix: '/ar', direction: 'rtl', fallback: 'en' },
    de: { label: 'Deutsch', prefix: '/de', fallback: 'en' },
    'de-at': { label: 'Österreich', prefix: '/at', fallback: 'de' },
    it: { label: 'Italiano', prefix: '/it', private: true, fallback: 'en' },
    'it-ch': { label: 'Svizzera', prefix: '/ch', private: true, fallback: 'it' },
  },
  pages: { fallback: true, publicApiProjection: ['title', '_url'] },
  types: [
    page('landing', { fields: { add: { body: { type: 'area', widgets: { '@cms/rich-text': {} } } } } }),
    page('articles', {
      piecesType: 'article',
      show: { render: ({ piece }, scene) => html`<h1${scene.lang(piece)}>${piece?.title}</h1>` },
    }),
    piece('city', { publicApiProjection: ['title'] }),
    piece('author', {
      fields: { add: { _city: { type: 'relationship', withType: 'city' } } },
      publicApiProjection: ['title', '_city'],
    }),
    piece('article', {
      fields: {
        add: {
          _authors: { type: 'relationship', withType: 'author', withRelationships: ['_city'] },
          _city: { type: 'relationship', withType: 'city' },
        },
      },
      publicApiProjection: ['title', '_authors', '_city', '_url'],
    }),
  ],
  global: {
    fields: {
      add: { footer: { type: 'string' }, motto: { type: 'string' }, _home: { type: 'relationship', withType: 'city' } },
    },
  },
})

const BELOW_HOME = { _targetId: '_home', _position: 'lastChild' }

describeService('a locale that falls back to another', { site, frontKey: FRONT_KEY }, (service) => {
  const made: { [name: string]: string } = {}
  const id = (name: string) => made[name] ?? ''
  const make = async (type: string, title: string, body: JsonObject = {}) => {
    const { body: saved } = await service.admin.post(type, { title, ...body })
    made[title] = saved.aposDocId
  }
  const localize = async (type: string, title: string, toLocale: string, body: JsonObject | null = null) => {
    const path = `${type}/${id(title)}`
    expect((await service.admin.post(`${path}/localize`, { toLocale, publish: true, related: false })).status).toBe(200)
    if (body) expect((await service.admin.patch(`${path}:${toLocale}:published`, body)).status).toBe(200)
  }
  const article = async (
    locale: string,
    who: 'anonymous' | 'guest' | 'contributor' = 'anonymous',
    mode = 'published',
  ) => (await service[who].get(`article/${id('Story')}:${locale}:${mode}`)).body
  const refs = (...names: string[]) => names.map((name) => ({ _id: id(name) }))

  beforeAll(async () => {
    await make('city', 'Paris')
    await make('city', 'Rome')
    await make('author', 'Ann', { _city: refs('Paris', 'Rome') })
    await make('author', 'Ben')
    await make('article', 'Story', { _authors: refs('Ann', 'Ben'), _city: refs('Paris') })
    await make('article', 'Other')
    for (const locale of ['fr', 'ar', 'de', 'de-at', 'it-ch']) await localize('article', 'Story', locale)
    await localize('city', 'Paris', 'de', { title: 'Paris (de)' })
    await make('@cms/page', 'Articles', { type: 'articles', ...BELOW_HOME })
    await make('@cms/page', 'About', { type: 'landing', ...BELOW_HOME })
  })

  it('§4.5 shows related documents that it does not have in the other, marked; what they relate to in its own', async () => {
    for (const who of ['anonymous', 'guest', 'contributor'] as const) {
      const { _authors, _city } = await article('de', who)
      expect(_authors).toMatchObject([
        {
          title: 'Ann',
          aposLocale: 'en:published',
          _fallback: 'en',
          _city: [{ title: 'Paris (de)' }, { title: 'Rome' }],
        },
        { title: 'Ben', aposLocale: 'en:published', _fallback: 'en' },
      ])
      expect(_authors[0]._city.map((one: JsonObject) => one._fallback)).toEqual([undefined, 'en'])
      expect(_city).toMatchObject([{ title: 'Paris (de)', aposLocale: 'de:published' }])
      expect(_city[0]).not.toHaveProperty('_fallback')
    }
    expect((await article('de-at'))._city).toMatchObject([{ title: 'Paris (de)', _fallback: 'de' }])
    expect((await article('de-at'))._authors).toMatchObject([{ _fallback: 'en' }, { _fallback: 'en' }])
    expect(await article('fr')).toMatchObject({ _authors: [], _city: [] })
    const draft = await article('de', 'contributor', 'draft')
    expect(draft._authors).toMatchObject([{ aposLocale: 'en:draft' }, { aposLocale: 'en:draft' }])
  })

  it('§4.5 says so in the OpenAPI document', async () => {
    const { schemas } = (await service.anonymous.get('openapi.json')).body.components
    expect(schemas['author.related'].properties).toHaveProperty('_fallback')
    expect(schemas['author.projected'].properties).not.toHaveProperty('_fallback')
  })

  it('§4.5 takes one more statement for each step, whatever the number of documents', async () => {
    const count = async (locale: string) => {
      service.forget()
      const before = service.statements.length
      await service.anonymous.get('article', `aposLocale=${locale}`)
      return service.statements.length - before
    }
    await service.quiet()
    // Authors and cities have a step more; the cities of articles and of their authors are read together.
    expect((await count('ar')) - (await count('fr'))).toBe(2)
  })

  it('§4.5 adds nothing to what exists: lists, filters, reading by id, localized copies, trees', async () => {
    const { anonymous, admin } = service
    expect((await anonymous.get(`author/${id('Ann')}`, 'aposLocale=de')).status).toBe(404)
    expect((await anonymous.get('author', 'aposLocale=de')).body.results).toEqual([])
    expect((await anonymous.get('article', `aposLocale=de&_authors=${id('Ann')}`)).body.results).toEqual([])
    const exist = { ids: [id('Ann'), id('Paris')], locale: 'de', mode: 'published' }
    expect((await admin.post('@cms/i18n/exist-in-locale', exist)).body.aposDocIds).toEqual([id('Paris')])
    expect((await admin.get(`author/${id('Ann')}/locales`)).body.results).toHaveLength(1)
    const tree = await anonymous.get('@cms/page', 'aposLocale=de&all=1')
    expect(JSON.stringify(tree.body)).not.toContain('About')
    const listed = await visit(service, '/api/v1/@cms/url?aposLocale=de', { front: true })
    expect([listed.status, listed.text.includes('about')]).toEqual([200, false])
  })

  it('§4.5 is hidden where the other locale is private, or a copy is hidden or archived', async () => {
    expect(await article('it-ch', 'guest')).toMatchObject({ _authors: [{ _fallback: 'en' }, { _fallback: 'en' }] })
    const { admin } = service
    await localize('author', 'Ben', 'de', { visibility: 'loginRequired' })
    expect((await article('de'))._authors).toMatchObject([{ title: 'Ann' }])
    expect((await article('de', 'guest'))._authors[1]).not.toHaveProperty('_fallback')
    await admin.patch(`author/${id('Ben')}:de:published`, { visibility: 'public', archived: true })
    expect((await article('de'))._authors).toMatchObject([{ title: 'Ann' }])
    await admin.patch(`author/${id('Ann')}`, { visibility: 'loginRequired' })
    expect((await article('ar'))._authors).toMatchObject([{ title: 'Ben' }])
    await admin.patch(`author/${id('Ann')}`, { visibility: 'public' })
  })

  it('§4.5 gives way at once to a document that comes to exist, and stands in again when it is gone', async () => {
    const etag = (await service.anonymous.get(`article/${id('Story')}:ar:published`)).headers.get('etag')
    await localize('author', 'Ann', 'ar', { title: 'آن' })
    const after = await service.anonymous.get(`article/${id('Story')}:ar:published`)
    expect(after.body._authors).toMatchObject([{ title: 'آن', aposLocale: 'ar:published' }, { _fallback: 'en' }])
    expect(after.headers.get('etag')).not.toBe(etag)
    await service.admin.patch(`author/${id('Ben')}`, { title: 'Benjamin' })
    expect((await article('ar'))._authors[1]).toMatchObject({ title: 'Benjamin' })
    await service.admin.delete(`author/${id('Ann')}:ar:published`)
    expect((await article('ar'))._authors[0]).toMatchObject({ title: 'Ann', _fallback: 'en' })
  })

  it('§2.15 writes what is sent back: what was shown and is left out is removed', async () => {
    const { _authors, authorsIds } = await article('ar', 'contributor', 'draft')
    expect(_authors).toHaveLength(2)
    const path = `article/${id('Story')}:ar:draft`
    const [, ben] = _authors
    const { status, body } = await service.contributor.patch(path, { _authors: [ben], authorsIds })
    expect([status, body._authors]).toMatchObject([200, [{ aposDocId: id('Ben'), _fallback: 'en' }]])
  })

  it('§4.5 fills in the fields of the global document that are blank, in page data alone', async () => {
    const { admin, anonymous } = service
    const [{ aposDocId }] = (await admin.get('@cms/global')).body.results
    const patch = (locale: string, body: JsonObject) =>
      admin.patch(`@cms/global/${aposDocId}:${locale}:published`, body)
    await patch('en', { footer: 'Made in Paris', motto: 'Onwards', _home: refs('Rome') })
    await patch('de', { motto: 'Vorwärts' })
    const globalOf = async (path: string) => (await visit(service, path, { front: true })).data.global
    expect(await globalOf('/de/')).toMatchObject({
      footer: 'Made in Paris',
      motto: 'Vorwärts',
      _home: [{ title: 'Rome' }],
      _fallbacks: { footer: 'en', _home: 'en' },
    })
    expect(await globalOf('/at/')).toMatchObject({ motto: 'Vorwärts', _fallbacks: { footer: 'en', motto: 'de' } })
    expect(await globalOf('/fr/')).not.toMatchObject({ footer: 'Made in Paris' })
    expect((await admin.get(`@cms/global/${aposDocId}:de:published`)).body.footer).toBe('')
    expect(JSON.stringify((await anonymous.get('@cms/global', 'aposLocale=de')).body)).not.toContain('Made in Paris')
    await patch('de', { footer: 'In Paris gemacht' })
    expect((await globalOf('/de/')).footer).toBe('In Paris gemacht')
  })

  it('§4.5 answers the path of a page that it does not have with that of the other', async () => {
    const { status, text } = await visit(service, '/de/about')
    expect([status, (await visit(service, '/fr/about')).status]).toEqual([200, 404])
    expect(text).toContain('<html lang="de"')
    expect(text).toContain('<main id="main" lang="en" dir="ltr"><h1>About</h1>')
    expect(text).toContain('<link rel="canonical" href="https://x.test/about">')
    expect(text).not.toContain('rel="alternate"')
    const { data } = await visit(service, '/ar/about', { front: true })
    expect(data).toMatchObject({
      locale: 'ar',
      page: { _url: 'https://x.test/about', _fallback: 'en' },
      home: { title: 'Home', aposLocale: 'ar:published' },
    })
    const here = data.localizations.find(({ current }: { current: boolean }) => current)
    expect(here).toMatchObject({ locale: 'ar', available: false })
    expect((await visit(service, '/sitemap.xml')).text).not.toContain('/de/about')
    const draft = await visit(service, '/ar/about?aposMode=draft', { front: true, role: 'contributor' })
    expect(draft.data.page).toMatchObject({ aposLocale: 'en:draft', _fallback: 'en' })
    const show = await visit(service, '/at/articles/other')
    expect(show.text).toContain('<h1 lang="en" dir="ltr">Other</h1>')
    expect((await visit(service, '/de/articles/other/none')).status).toBe(404)
    expect((await visit(service, '/ch/about')).status).toBe(404)
    expect((await visit(service, '/ch/about', { role: 'guest' })).status).toBe(200)
  })

  it('§4.5 a page that comes to exist is shown at once, and found from where the other was', async () => {
    const url = '/de/about'
    expect((await visit(service, url)).text).toContain('lang="en"')
    await localize('@cms/page', 'About', 'de', { title: 'Über uns', slug: '/ueber-uns' })
    const moved = await visit(service, url)
    expect([moved.status, moved.headers.get('location')]).toEqual([302, '/de/ueber-uns'])
    expect((await visit(service, '/de/ueber-uns')).text).toContain('<main id="main"><h1>Über uns</h1>')
    await service.admin.patch(`@cms/page/${id('About')}:de:published`, { visibility: 'loginRequired' })
    expect((await visit(service, url)).status).toBe(404)
    await localize('@cms/page', 'Articles', 'de')
    await localize('article', 'Other', 'de', { title: 'Anderes', slug: 'anderes' })
    const piece = await visit(service, '/de/articles/other')
    expect([piece.status, piece.headers.get('location')]).toEqual([302, '/de/articles/anderes'])
  })

  it('§4.5 links of rich text lead to the other, and say in which language', async () => {
    const link = (title: string) => `<p><a href="#apostrophe-permalink-${id(title)}?updateTitle=1">x</a></p>`
    const widget = { type: '@cms/rich-text', content: link('Articles') }
    await localize('@cms/page', 'About', 'ar', { body: { metaType: 'area', items: [widget] } })
    const { text } = await visit(service, '/ar/about')
    expect(text).toContain('<a href="https://x.test/articles" hreflang="en"><span lang="en">Articles</span></a>')
  })
})
