import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { defineSite, getBaseUrl, html, isExternalFront, isStaticBuild, page, piece } from '../src/index.ts'
import { sampledDatabases } from './databases.ts'
import { describeService } from './service.ts'
import { FRONT_KEY, visit } from './visits.ts'

const templates = await mkdtemp(join(tmpdir(), 'quire-template-urls-'))
afterAll(() => rm(templates, { recursive: true }))
await writeFile(
  join(templates, 'list.njk'),
  `<a href="{{ data.url | build({ sort: 'title', x: null }, { page: 2 }) }}">filter</a>
<a href="{{ build('/news', ['topic'], data.query, { topic: 'art' }) }}">function</a>
<a href="{{ data.url | build({ tags: { '$addToSet': 'b' } }) }}">add</a>
<a href="{{ data.url | build({ tags: { '$pull': 'a' } }) }}">pull</a>
<a href="{{ 'javascript:alert(1)' | build({ a: 1 }) }}">bad</a>
<a href="{{ data.page._url }}{{ getChoiceFilter('topic', 'art', 2) }}">choice</a>
<a href="{{ data.page._url }}{{ 'topic' | getChoiceFilter('art') }}">choice filter</a>
<a href="{{ data.page._url }}{{ 2 | getPageFilter }}">page filter</a>
<a href="{{ getPageUrl(2) }}">page</a>
<a href="{{ 2 | getPageUrl }}">page by filter</a>
<b>{{ {} | getBaseUrl }} {{ { relative: true } | getBaseUrl }} {{ data | isExternalFront }} {{ data | isStaticBuild }}</b>
<i>{{ getBaseUrl() }} {{ getBaseUrl({ relative: true }) }} {{ isExternalFront() }} {{ isStaticBuild() }}</i>`,
)

const site = (isStatic: boolean) =>
  defineSite({
    static: isStatic,
    templates,
    baseUrl: 'https://example.org',
    staticBaseUrl: 'https://static.example',
    prefix: '/site',
    types: [
      piece('story', { fields: { add: { topic: { type: 'string' } } } }),
      page('by-file', { piecesType: 'story', index: { template: 'list.njk' } }),
      page('by-function', {
        piecesType: 'story',
        index: {
          render: ({ url, page }, { urls }) => html`
<a href="${urls.build(url, { sort: 'title', x: null }, { page: 2 })}">filter</a>
<a href="${page._url}${urls.getChoiceFilter('topic', 'art', 2)}">choice</a>
<a href="${urls.getPageUrl(2)}">page</a>
<i>${urls.getBaseUrl()} ${urls.getBaseUrl({ relative: true })} ${String(urls.isExternalFront())} ${String(urls.isStaticBuild())}</i>`,
        },
      }),
    ],
    features: [
      {
        name: 'base',
        hooks: {
          beforeSend(data, ctx) {
            data.base = [
              getBaseUrl(ctx),
              getBaseUrl(ctx, { strict: true, prefix: false }),
              isExternalFront(ctx),
              isStaticBuild(ctx),
            ]
          },
        },
      },
    ],
  })

const linksIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href = '', label = '']) => [
      label,
      href.replaceAll('&amp;', '&'),
    ]),
  )

const BUILD = { 'x-apos-static-base-url': '1' }

for (const isStatic of [false, true]) {
  const title = `URLs in templates, ${isStatic ? 'as paths' : 'as queries'}`
  describeService(title, { site: site(isStatic), frontKey: FRONT_KEY, on: sampledDatabases(title) }, (service) => {
    const made = async (type: string) => {
      const headers = { authorization: 'ApiKey key-admin', 'content-type': 'application/json' }
      const body = JSON.stringify({ type, title: type, _targetId: '_home', _position: 'lastChild' })
      const answer = await fetch(`${service.address}/site/api/v1/@cms/page`, { method: 'POST', headers, body })
      expect(answer.status).toBe(200)
      return ((await answer.json()) as { slug: string }).slug
    }

    it('§4.6 functions and files make the same URLs', async () => {
      const path = `/site${await made('by-file')}`
      const { text } = await visit(service, `${path}?x=1&tags[]=a`)
      const whole = `https://example.org${path}`
      const links = linksIn(text)
      expect(links).toMatchObject({
        filter: `${path}?tags[]=a&sort=title&page=2`,
        function: '/news/art?x=1&tags%5B%5D=a',
        add: `${path}?x=1&tags%5B%5D=a&tags%5B%5D=b`,
        pull: `${path}?x=1`,
        bad: '#',
        choice: `${whole}${isStatic ? '/topic/art/page/2' : '?topic=art&page=2'}`,
        'choice filter': `${whole}${isStatic ? '/topic/art' : '?topic=art'}`,
        'page filter': `${whole}${isStatic ? '/page/2' : '?page=2'}`,
        'page by filter': links.page,
        page: isStatic ? `${path}/page/2?x=1&tags[]=a` : `${path}?x=1&tags[]=a&page=2`,
      })
      expect(text).toContain('<i>https://example.org/site /site false false</i>')
      expect(text).toContain('<b>https://example.org/site /site false false</b>')
      const other = `/site${await made('by-function')}`
      const rendered = (await visit(service, `${other}?x=1&tags[]=a`)).text
      for (const [label, href] of Object.entries(linksIn(rendered))) {
        expect([label, href]).toEqual([label, links[label]?.replace('by-file', 'by-function')])
      }
      expect(rendered).toContain('<i>https://example.org/site /site false false</i>')
    })

    it('§4.6 a static build has URLs of its own; only the key makes an external front end', async () => {
      const base = async (headers = {}) => (await visit(service, '/site/', { front: true, headers })).data.base
      const [own, built] = ['https://example.org', 'https://static.example']
      expect(await base()).toEqual([`${own}/site`, own, true, false])
      expect(await base(BUILD)).toEqual([`${built}/site`, built, true, true])
      const path = `/site${await made('by-file')}`
      expect((await visit(service, path, { headers: BUILD })).text).toContain(`<i>${built}/site /site false false</i>`)
      expect((await visit(service, path)).text).toContain(`<i>${own}/site /site false false</i>`)
      const wrong = { ...BUILD, 'x-requested-with': 'AposExternalFront', 'apos-external-front-key': 'wrong' }
      expect(await visit(service, path, { headers: wrong })).toMatchObject({ status: 403, text: 'forbidden' })
    })
  })
}
