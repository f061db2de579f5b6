import { beforeAll, expect, it } from 'vitest'
import { describeService, type Service } from '../../../test/service.ts'
import { visit } from '../../../test/visits.ts'
import { defineSite } from '../../model/compile/site.ts'
import { page } from '../../model/declared/content-type.ts'

const locales = {
  en: { label: 'English' },
  fr: { label: 'Français', prefix: '/fr' },
  it: { label: 'Italiano', prefix: '/it', private: true },
} as const
const types = [page('search-page'), page('text-page')] as const
const styles = {
  accent: { type: 'color', label: 'Accent', selector: 'body', property: 'color', def: '#123456' },
} as const

/** The rules of a group, as crawlers apply them (RFC 9309): the longest path that matches counts, and allows in doubt. */
function allows(text: string, agent: string, path: string): boolean {
  const [, group = ''] =
    text
      .split(/^(?=User-agent:)/m)
      .map((part) => part.split(`User-agent: ${agent}\n`))
      .find((parts) => parts.length > 1) ?? []
  const rules = [...group.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, kind, rule = '']) => {
    const pattern = rule
      .replaceAll(/[.+?^{}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replace(/\$(?!$)/g, '\\$')
    return { isAllowed: kind === 'Allow', length: rule.length, matches: new RegExp(`^${pattern}`).test(path) }
  })
  const most = rules
    .filter(({ matches }) => matches)
    .toSorted((a, b) => b.length - a.length || Number(b.isAllowed) - Number(a.isAllowed))
  return most[0]?.isAllowed ?? true
}

const robotsOf = async (service: Service, prefix = '') => (await visit(service, `${prefix}/robots.txt`)).text

describeService(
  'robots.txt of a site without rules',
  { site: defineSite({ prefix: '/site', locales, types, styles: { add: styles }, robots: true }), isLong: true },
  (service) => {
    it('§4.6 forbids the interface below each prefix, and nothing that a page needs', async () => {
      const text = await robotsOf(service, '/site')
      for (const path of ['/site/api/v1/text-page', '/site/fr/api/v1/text-page', '/site/api/v1/@cms/styles/render'])
        expect({ path, isAllowed: allows(text, '*', path) }).toEqual({ path, isAllowed: false })
      for (const path of ['/site/', '/site/fr/']) {
        const { text: html } = await visit(service, path)
        const needed = [...html.matchAll(/<(?:link|img|script)[^>]* (?:href|src)="(\/[^"]*)"/g)].map(
          ([, url = '']) => url,
        )
        expect(needed).toContainEqual(expect.stringContaining('/styles/stylesheet/'))
        for (const url of needed) expect({ url, isAllowed: allows(text, '*', url) }).toEqual({ url, isAllowed: true })
      }
    })
  },
)

describeService(
  'robots.txt with rules',
  {
    site: defineSite({
      locales,
      types,
      robots: {
        rules: [
          { userAgent: 'GPTBot', disallow: ['/'] },
          { userAgent: 'Strict', disallow: ['/api/v1/@cms/styles/'] },
          { disallow: ['/api/'], disallowPages: ['search-page'] },
        ],
      },
    }),
    isLong: true,
  },
  (service) => {
    const place = { _targetId: '_home', _position: 'lastChild' }
    beforeAll(async () => {
      const { admin } = service
      const { body: found } = await admin.post('@cms/page', { type: 'search-page', title: 'Search', ...place })
      await admin.post('@cms/page', { type: 'text-page', title: 'Searching for gold', ...place })
      await admin.post('@cms/page', { type: 'search-page', title: 'Members', visibility: 'loginRequired', ...place })
      for (const [toLocale, slug] of [
        ['fr', '/trouvé'],
        ['it', '/cerca'],
      ] as const) {
        expect((await admin.post(`@cms/page/${found.aposDocId}/localize`, { toLocale })).status).toBe(200)
        const query = `aposLocale=${toLocale}:draft`
        expect((await admin.patch(`@cms/page/${found.aposDocId}`, { slug }, query)).status).toBe(200)
        expect((await admin.post(`@cms/page/${found.aposDocId}/publish`, {}, query)).status).toBe(200)
      }
    })

    it('§4.6 forbids the pages of a type wherever they are, and only them', async () => {
      const text = await robotsOf(service)
      const french = `/fr/${encodeURIComponent('trouvé')}`
      for (const path of ['/search', '/search?q=tea', '/search/', french, `${french}?q=th%C3%A9`])
        expect({ path, isAllowed: allows(text, '*', path) }).toEqual({ path, isAllowed: false })
      for (const path of [
        '/',
        '/searching-for-gold',
        '/fr/',
        '/trouv%C3%A9',
        '/api/v1/@cms/styles/stylesheet/locale/en/published?version=1',
      ])
        expect({ path, isAllowed: allows(text, '*', path) }).toEqual({ path, isAllowed: true })
      expect(text).not.toMatch(/members|cerca/)
    })

    it('§4.6 changes with the pages', async () => {
      await service.admin.post('@cms/page', { type: 'search-page', title: 'Also', ...place })
      expect(allows(await robotsOf(service), '*', '/also')).toBe(false)
    })

    it('§4.6 leaves closed what the site closes for good', async () => {
      const text = await robotsOf(service)
      const sheet = '/api/v1/@cms/styles/stylesheet/locale/en/published'
      expect([allows(text, 'GPTBot', sheet), allows(text, 'Strict', sheet)]).toEqual([false, false])
    })
  },
)
