import { expect, test } from 'vitest'
import { testDatabases } from '../cms/test/databases.ts'
import { describeService, type Service } from '../cms/test/service.ts'
import { Editor } from './editor.ts'
import { fillFrontEnd } from './front-end-content.ts'
import { frontEndSite } from './front-end-site.ts'
import { fillApollo, fillEssentials, fillPublicDemo } from './kit-content.ts'
import { apollo, essentials, publicDemo } from './kit-sites.ts'

// Properties that the templates of three Astro starter kits read without checking that they exist.

const FRONT_KEY = 'front-key'
const group = { on: testDatabases.slice(0, 1), frontKey: FRONT_KEY }
const AREA = { metaType: 'area', items: expect.any(Array) }
const IMAGE = {
  alt: 'Moss on a stone',
  _fields: {},
  attachment: {
    extension: 'jpg',
    width: 1200,
    height: 800,
    _urls: { full: expect.any(String), original: expect.any(String) },
  },
}

/** Asks for a path as the front end does. */
function asked({ address }: Pick<Service, 'address'>, path: string): Promise<Response> {
  const headers = { 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': FRONT_KEY }
  return fetch(address + path, { headers })
}

/** Returns the answer to the front end for a path. */
async function answerOf(service: Pick<Service, 'address'>, path: string) {
  const response = await asked(service, path)
  expect({ path, status: response.status, type: response.headers.get('content-type') }).toEqual({
    path,
    status: 200,
    type: expect.stringMatching(/^application\/json/),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  return (await response.json()) as any
}

describeService('§4.2b the templates of starter-kit-astro-essentials', { ...group, site: essentials }, (service) => {
  test('§4.2b have all that they read', async () => {
    await fillEssentials(new Editor(service.address))
    const home = await answerOf(service, '/')
    expect(home).toMatchObject({ template: '@apostrophecms/home-page:page', page: { title: 'Home', main: AREA } })
    const [, image, video, file] = home.page.main.items
    expect(image).toMatchObject({ type: '@apostrophecms/image', caption: 'Moss', linkTo: 'none', _image: [IMAGE] })
    expect(video).toMatchObject({ type: '@apostrophecms/video', video: { url: 'https://youtu.be/Q5UX9yexEyM' } })
    expect(file._file).toMatchObject([{ title: 'The plan', _url: expect.stringMatching(/-plan\.pdf$/) }])
    expect(await answerOf(service, '/blog')).toMatchObject({
      template: '@apostrophecms/blog-page:index',
      pieces: expect.arrayContaining([
        expect.objectContaining({ title: 'Post 1', _url: '/blog/post-1', publishedAt: '2026-01-01' }),
      ]),
      currentPage: 1,
      totalPages: 1,
    })
    expect(await answerOf(service, '/blog/post-2')).toMatchObject({
      template: '@apostrophecms/blog-page:show',
      page: { title: 'Blog' },
      piece: { title: 'Post 2', main: { metaType: 'area', items: [{ content: '<p>Text 2</p>' }] } },
    })
  })
})

describeService('§4.2b the headers that starter kits pass on', { ...group, site: essentials }, (service) => {
  test.each(['/', '/nowhere'])('§4.2b are those of a page, not of JSON: %s', async (path) => {
    const { headers } = await asked(service, path)
    const html = await fetch(service.address + path)
    expect(html.headers.get('content-type')).toMatch(/^text\/html/)
    for (const name of ['content-security-policy', 'x-frame-options', 'referrer-policy', 'cache-control']) {
      expect({ name, value: headers.get(name) }).toEqual({ name, value: html.headers.get(name) })
    }
    expect(headers.get('content-security-policy')).not.toMatch(/default-src|script-src|style-src/)
  })
})

describeService('§4.2b the templates of astro-public-demo', { ...group, site: publicDemo }, (service) => {
  test('§4.2b have all that they read', async () => {
    await fillPublicDemo(new Editor(service.address))
    const home = await answerOf(service, '/')
    expect(home.global).toMatchObject({ siteTitle: 'The demo', _siteLogo: [IMAGE] })
    expect(home.home._children).toMatchObject([
      { title: 'About', slug: '/about', _url: '/about', visibility: 'public' },
      { title: 'Articles' },
    ])
    expect(home.localizations).toMatchObject([
      { locale: 'en', label: 'English', current: true, flag: 'en', _url: '/' },
      { locale: 'fr', label: 'French', current: false, flag: 'fr', _url: '/fr/' },
    ])
    const [hero, card, recent] = home.page.main.items
    expect(hero).toMatchObject({
      content: AREA,
      links: [
        { linkText: 'About us', linkTarget: ['_blank'], _linkPage: [{ _url: '/about' }] },
        { linkType: 'file', _linkFile: [{ _url: expect.stringMatching(/-plan\.pdf$/) }] },
      ],
    })
    expect(card).toMatchObject({
      titleRT: { metaType: 'area', items: [{ type: 'card-title-rt', content: '<h3>Card</h3>' }] },
      linkUrl: 'https://example.org/',
    })
    expect(recent).toMatchObject({ type: 'article', limit: 5 })

    const article = {
      title: 'On moss',
      _url: '/articles/on-moss',
      _parentUrl: '/articles',
      _parentSlug: '/articles',
      publishedDate: '2026-01-02',
      blurb: AREA,
      _categories: [{ slug: 'nature', title: 'Nature' }],
      _author: [{ slug: 'ann-other', title: 'Ann Other' }],
      _image: [IMAGE],
    }
    const index = await answerOf(service, '/articles?categories=nature')
    expect(index).toMatchObject({
      page: { intro: AREA, _ancestors: [{ title: 'Home', _url: '/' }] },
      pieces: [article],
      _categories: [{ slug: 'nature', title: 'Nature' }],
      query: { categories: 'nature' },
      url: '/articles?categories=nature',
    })
    expect(await answerOf(service, '/articles/on-moss')).toMatchObject({ piece: { ...article, main: AREA } })
  })

  test('§5.1 its article widget may list articles without a key', async () => {
    const { status, body } = await service.anonymous.get('article', 'perPage=5&sort[createdAt]=-1')
    expect(status).toBe(200)
    expect(body.results).toMatchObject([
      {
        title: 'On moss',
        _url: '/articles/on-moss',
        _parentUrl: '/articles',
        blurb: AREA,
        _image: [IMAGE],
        _categories: [{ title: 'Nature' }],
        _author: [{ title: 'Ann Other' }],
      },
    ])
  })
})

describeService('§4.2b the templates of starter-kit-astro-apollo', { ...group, site: apollo }, (service) => {
  test('§4.2b have all that they read', async () => {
    await fillApollo(new Editor(service.address))
    const home = await answerOf(service, '/')
    expect(home.page).toMatchObject({
      layout: 'foundation',
      heroSection: {
        _backgroundImage: [IMAGE],
        mainContent: { title: 'Welcome', subtitle: 'To moss' },
        callToAction: { metaType: 'area', items: [{ type: 'link', _linkPage: [{ _url: '/about' }] }] },
      },
      main: AREA,
    })
    expect(home.home._children).toMatchObject([
      { title: 'Articles', _children: [] },
      { title: 'About', _children: [{ title: 'Team', _url: '/about/team' }] },
    ])
    expect(home.global).toMatchObject({
      brandingGroup: { siteTitle: 'Apollo', siteLogo: { _urls: { max: expect.stringMatching(/-logo\.max\.jpg$/) } } },
      headerGroup: { headerPosition: 'fixed', headerTextColor: 'black' },
      footerGroup: { socialLinks: [{ platform: 'mastodon', url: 'https://example.org/@apollo' }] },
    })
    const author = {
      title: 'Ann Other',
      email: 'ann@example.org',
      socialLinks: [{ platform: 'github', url: 'https://github.com/ann' }],
      biography: { metaType: 'area', items: [{ content: '<p>Writes</p>' }] },
      profileImage: { metaType: 'area', items: [{ type: '@apostrophecms/image', _image: [IMAGE] }] },
      _articles: expect.arrayContaining([expect.objectContaining({ title: 'On stones', _url: '/articles/on-stones' })]),
    }
    const index = await answerOf(service, '/articles')
    expect(index).toMatchObject({ page: { indexLayout: 'standard', masthead: AREA }, totalPages: 1 })
    expect(index.pieces.map(({ title, excerpt }: { title: string; excerpt: string }) => [title, excerpt])).toEqual(
      expect.arrayContaining([
        ['On stones', 'Hard'],
        ['On moss', ''],
      ]),
    )
    expect(index.pieces[0]._author).toMatchObject([{ title: 'Ann Other', profileImage: AREA }])
    expect(await answerOf(service, '/articles/on-moss')).toMatchObject({
      page: { showLayout: 'fullWidth' },
      piece: { _author: [author], _heroImage: [IMAGE], mainContent: AREA },
    })
    expect(await answerOf(service, '/articles/on-stones')).toMatchObject({
      piece: { _heroImage: [], _related: [{ title: 'On moss', _url: '/articles/on-moss' }] },
    })
  })
})

describeService('§4.2 an exporter that crawls Astro sites', { ...group, site: frontEndSite() }, (service) => {
  const crawled = async (path: string) => {
    const headers = { 'apos-external-front-key': FRONT_KEY }
    const response = await fetch(`${service.address}/api/v1/${path}`, { headers })
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
    return { status: response.status, body: (await response.json()) as any }
  }

  test('§4.6 gets the public pages and pieces, with a front-end key that is no credential', async () => {
    await fillFrontEnd(service.address)
    const { body } = await crawled('@apostrophecms/page?all=1&flat=1&published=1')
    const urls = body.results.map(({ _url }: { _url: string }) => _url)
    expect(urls).toEqual(['/', '/about', '/about/team', '/blog', '/new-name'])
    const french = await crawled('@apostrophecms/page?all=1&flat=1&published=1&aposLocale=fr')
    expect(french.body.results.map(({ _url }: { _url: string }) => _url)).toEqual(['/fr/', '/fr/about'])
    expect((await crawled('@apostrophecms/blog?perPage=1')).body).toMatchObject({ pages: 5, results: [{}] })
    const { results } = (await crawled('@apostrophecms/blog?page=1&perPage=100')).body
    expect(results.map(({ _url }: { _url: string }) => _url)).toEqual(
      [5, 4, 3, 2, 1].map((each) => `/blog/post-${each}`),
    )
  })

  test('§0.2 gets errors for missing documents like any others', async () => {
    for (const path of ['nothing', 'article?perPage=1', 'news?page=2&perPage=100']) {
      expect({ path, ...(await crawled(path)) }).toMatchObject({ path, status: 404, body: { name: 'notfound' } })
    }
  })
})
