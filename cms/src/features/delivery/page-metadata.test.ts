import { request } from 'node:http'
import { beforeAll, expect, it } from 'vitest'
import { imagePiece } from '../../../test/media.ts'
import { describeService } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { html } from '../../base/html.ts'
import { pageMetadata } from '../../engine/rendering/page-metadata.ts'
import { compileSite, defineSite } from '../../model/compile/site.ts'
import { page, piece } from '../../model/declared/content-type.ts'

const story = piece('story', {
  fields: {
    add: {
      lead: { type: 'string' },
      day: { type: 'date' },
      section: { type: 'select', choices: [{ label: 'A', value: 'a' }] },
      mood: { type: 'select', choices: [{ label: 'B', value: 'b' }] },
      _photo: { type: 'relationship', withType: '@cms/image', max: 1 },
    },
  },
})

const options = {
  name: 'Tea & "Talk"',
  locales: { en_GB: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [
    story,
    page('stories', { piecesType: 'story', piecesFilters: ['section', 'mood'], perPage: 1 }),
    page('plain'),
  ],
  layout: (content, { piece, page }, scene) => {
    const [photo] = (piece?._photo ?? []) as object[]
    const article = piece
      ? { published: String(piece.day), section: 'A', authors: [{ title: 'Ann', _url: '/ann' }] }
      : null
    const about = { description: String(piece?.lead ?? page?.title ?? ''), image: photo, article }
    return html`<!doctype html><head>${pageMetadata(scene, about)}${scene.slot('appendHead')}</head>${content}`
  },
} as const satisfies Parameters<typeof defineSite>[0]

/** The attribute of the first element that has another one: `content` of `property="og:url"`. */
function attributeOf(text: string, name: string, other: string): string | undefined {
  const [, value] = new RegExp(`<[^>]*${other}[^>]* ${name}="([^"]*)"`).exec(text) ?? []
  return value
}

const property = (text: string, name: string) => attributeOf(text, 'content', `property="${name}"`)
const canonical = (text: string) => attributeOf(text, 'href', 'rel="canonical"')
const graphOf = (text: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? '{}')['@graph'] ?? []

describeService(
  'the head of a page',
  { site: defineSite({ ...options, baseUrl: 'https://tea.example' }) },
  (service) => {
    beforeAll(async () => {
      const { admin } = service
      const place = { _targetId: '_home', _position: 'lastChild' }
      const { body } = await admin.post('@cms/page', { type: 'stories', title: 'Stories', ...place })
      await admin.post(`@cms/page/${body.aposDocId}/localize`, { toLocale: 'fr', publish: true })
      const photo = await imagePiece(service, { title: 'Cup', alt: 'A <cup>' })
      const lead = 'About </script><b>tea</b> & "more"'
      const values = { lead, day: '2026-11-02', section: 'a', mood: 'b', _photo: [photo] }
      await admin.post('story', { title: 'First </script> pot', ...values })
      await admin.post('story', { title: 'Second pot', section: 'a' })
    })

    it('§4.2b names a piece by its own URL, as an article, with the way to it', async () => {
      const { text } = await visit(service, '/stories/first-script-pot?utm=x')
      const url = 'https://tea.example/stories/first-script-pot'
      expect(canonical(text)).toBe(url?.replaceAll('&', '&amp;'))
      expect(property(text, 'og:url')).toBe(url)
      expect(property(text, 'og:type')).toBe('article')
      expect(property(text, 'og:locale')).toBe('en_GB')
      expect(property(text, 'og:site_name')).toBe('Tea &amp; &quot;Talk&quot;')
      expect(property(text, 'og:image')).toMatch(/^https:\/\/tea\.example\/uploads\/attachments\/.*\.max\.jpg$/)
      expect([property(text, 'og:image:width'), property(text, 'og:image:height')]).toEqual(['400', '200'])
      const [breadcrumbs, article] = graphOf(text)
      const items = breadcrumbs.itemListElement.map(({ item }: { item: string }) => item)
      expect(items).toEqual(['https://tea.example/', 'https://tea.example/stories', url])
      expect(article).toMatchObject({
        '@type': 'Article',
        headline: 'First </script> pot',
        description: 'About </script><b>tea</b> & "more"',
        datePublished: '2026-11-02',
        articleSection: 'A',
        inLanguage: 'en-GB',
        author: [{ '@type': 'Person', name: 'Ann', url: 'https://tea.example/ann' }],
      })
    })

    it.each([
      ['/', 'https://tea.example/'],
      ['/stories?page=1&utm=x', 'https://tea.example/stories'],
      ['/stories?page=2', 'https://tea.example/stories?page=2'],
      ['/stories?section=a', 'https://tea.example/stories?section=a'],
      ['/stories?section=a&page=2&x=1', 'https://tea.example/stories?section=a&page=2'],
      ['/stories?section=a&mood=b', undefined],
      ['/fr/stories', 'https://tea.example/fr/stories'],
      ['/nowhere', undefined],
    ])('§4.2b the canonical URL of %s is %s', async (path, url) => {
      const { text } = await visit(service, path)
      expect(canonical(text)).toBe(url?.replaceAll('&', '&amp;'))
      expect(property(text, 'og:url')).toBe(url?.replaceAll('&', '&amp;') ?? undefined)
    })
  },
)

describeService(
  'a site that does not say where it is',
  { site: defineSite({ ...options, trustProxy: true }), frontKey: FRONT_KEY, isLong: true },
  (service) => {
    const ask = (headers: Record<string, string>, path = '/') =>
      new Promise<string>((resolve, reject) => {
        const { hostname, port } = new URL(service.address)
        request({ hostname, port, path, headers }, async (response) => {
          let text = ''
          for await (const part of response) text += part
          resolve(text)
        })
          .on('error', reject)
          .end()
      })

    it('§4.2b is where the request was sent to, each host for itself', async () => {
      for (const [headers, base] of [
        [{ host: 'one.example' }, 'http://one.example'],
        [{ host: 'two.example:8080' }, 'http://two.example:8080'],
        [
          { host: '127.0.0.1:3000', 'x-forwarded-host': 'three.example', 'x-forwarded-proto': 'https' },
          'https://three.example',
        ],
        [{ host: 'one.example' }, 'http://one.example'],
      ] as const) {
        const text = await ask(headers)
        expect(canonical(text)).toBe(`${base}/`)
        const alternates = [...text.matchAll(/hreflang="[^"]*" href="([^"]*)"/g)].map(([, url]) => url)
        expect(alternates).toEqual([`${base}/`, `${base}/fr/`, `${base}/`])
      }
    })

    it('§4.2b takes nothing for a host that is none', async () => {
      const text = await ask({ host: 'a', 'x-forwarded-host': 'evil.example/"><script>' })
      expect(canonical(text)).toBeUndefined()
      expect(text).not.toContain('evil')
    })

    it('§4.2b links of documents stay paths', async () => {
      expect((await visit(service, '/', { front: true })).data.page._url).toBe('/')
    })
  },
)

describeService(
  'the policy of pages',
  {
    site: defineSite({ contentSecurityPolicy: { 'script-src': "'self'", 'frame-ancestors': "'none'" } }),
    frontKey: FRONT_KEY,
    isLong: true,
  },
  (service) => {
    it('§4.2b is what the site says, beside what it always is', async () => {
      const policy = "object-src 'none'; base-uri 'self'; frame-ancestors 'none'; script-src 'self'"
      for (const [path, visitor] of [
        ['/', {}],
        ['/nowhere', {}],
        ['/', { front: true }],
        ['/?page=0', {}],
      ] as const) {
        expect((await visit(service, path, visitor)).headers.get('content-security-policy')).toBe(policy)
      }
    })

    it.each([
      { 'script src': "'self'" },
      { 'script-src': "'self'; object-src *" },
      { 'img-src': 'a,b' },
      { 'img-src': 'a\nb' },
    ])('§4.2b is checked at start: %j', (contentSecurityPolicy) => {
      expect(() => compileSite(defineSite({ contentSecurityPolicy }))).toThrow('contentSecurityPolicy')
    })
  },
)
