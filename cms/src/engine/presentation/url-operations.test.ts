import { describe, expect, test } from 'vitest'
import { compileSite, type SiteDeclaration } from '../../model/compile/site.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page } from '../../model/declared/content-type.ts'
import type { Context } from '../context.ts'
import {
  getBaseUrl,
  getChoiceFilter,
  getPageFilter,
  isExternalFront,
  isStaticBuild,
  withFilter,
} from './url-operations.ts'

const types = [page('default-page', {})]
const siteWith = (options: object): SiteDeclaration => defineSite({ types, ...options } as never)

const contextOf = (declaration: SiteDeclaration, more: Partial<Context> = {}): Context => {
  const site = compileSite(declaration)
  const asked = { locale: site.defaultLocale, isStaticBuild: false, isExternalFront: false, staticBaseUrl: null }
  // `as`: the operations need no more of it.
  return { site, ...asked, ...more } as unknown as Context
}

const HOSTS = {
  en: { label: 'English', hostname: 'example.org' },
  fr: { label: 'Français', hostname: 'exemple.fr:8443' },
}
const PREFIXED = { baseUrl: 'https://example.org', prefix: '/site' }
const BUILD = { isStaticBuild: true, staticBaseUrl: 'https://static.example' }

describe('§4.6 getBaseUrl', () => {
  test.each<[string, object, Partial<Context>, Parameters<typeof getBaseUrl>[1], string]>([
    ['is the base URL with the prefix', PREFIXED, {}, {}, 'https://example.org/site'],
    ['leaves the prefix out', PREFIXED, {}, { prefix: false }, 'https://example.org'],
    ['is the prefix alone where there is no base URL', { prefix: '/site' }, {}, {}, '/site'],
    ['is nothing where there is neither', {}, {}, {}, ''],
    ['is that of the static build', PREFIXED, BUILD, {}, 'https://static.example/site'],
    ['is that of the static build, without the prefix', PREFIXED, BUILD, { prefix: false }, 'https://static.example'],
    [
      'is no base URL in a static build without one',
      PREFIXED,
      { isStaticBuild: true, staticBaseUrl: null },
      {},
      '/site',
    ],
    [
      'is the base URL in a static build without one, when strict',
      PREFIXED,
      { isStaticBuild: true, staticBaseUrl: null },
      { strict: true },
      'https://example.org/site',
    ],
    ['is that of the static build, when strict, too', PREFIXED, BUILD, { strict: true }, 'https://static.example/site'],
    [
      'is that of the site, when strict, without a static build',
      PREFIXED,
      {},
      { strict: true },
      'https://example.org/site',
    ],
    [
      'is the host name of the locale, without the prefix',
      { ...PREFIXED, locales: HOSTS },
      {},
      {},
      'https://example.org',
    ],
    ['is the host name of its own locale', { locales: HOSTS }, { locale: 'fr' }, {}, 'https://exemple.fr:8443'],
    [
      'is the host name in static builds',
      { ...PREFIXED, locales: HOSTS },
      BUILD,
      { strict: true },
      'https://example.org',
    ],
    [
      'has the protocol of the base URL',
      { baseUrl: 'http://localhost:3000', locales: HOSTS },
      { locale: 'fr' },
      {},
      'http://exemple.fr:8443',
    ],
    ['is relative', PREFIXED, BUILD, { relative: true }, '/site'],
    ['is relative, whatever the prefix option says', PREFIXED, {}, { relative: true, prefix: false }, '/site'],
    [
      'is relative, whatever the host name of the locale',
      { ...PREFIXED, locales: HOSTS },
      {},
      { relative: true },
      '/site',
    ],
    ['is relative and empty', {}, {}, { relative: true }, ''],
  ])('§4.6 %s', (_, options, asked, given, expected) => {
    expect(getBaseUrl(contextOf(siteWith(options), asked), given)).toBe(expected)
  })
})

describe('§4.6 getChoiceFilter and getPageFilter', () => {
  const plain = contextOf(siteWith({}))
  const isStatic = contextOf(siteWith({ static: true }))

  test.each<[unknown, number | undefined, string, string]>([
    ['art', undefined, '?topic=art', '/topic/art'],
    ['art', 1, '?topic=art', '/topic/art'],
    ['art', 2, '?topic=art&page=2', '/topic/art/page/2'],
    ['Fine Art & é', 2, '?topic=Fine%20Art%20%26%20%C3%A9&page=2', '/topic/Fine%20Art%20&%20%C3%A9/page/2'],
    [0, 1, '?topic=0', '/topic/0'],
    [false, 3, '?topic=false&page=3', '/topic/false/page/3'],
    ['', 2, '?page=2', '/page/2'],
    [null, 1, '', ''],
    [undefined, 2, '?page=2', '/page/2'],
    ['page', 2, '?topic=page&page=2', '/topic/page/page/2'],
    ['a/b', 2, '?topic=a%2Fb&page=2', '?topic=a%2Fb&page=2'],
    ['a\\b', 1, '?topic=a%5Cb', '?topic=a%5Cb'],
    ['.', 1, '?topic=.', '?topic=.'],
    ['..', 1, '?topic=..', '?topic=..'],
    ['\ud800', 1, '?topic=%EF%BF%BD', '?topic=%EF%BF%BD'],
    [' a', 1, '?topic=%20a', '?topic=%20a'],
    ['a.', 1, '?topic=a.', '?topic=a.'],
    ['.htaccess', 1, '?topic=.htaccess', '?topic=.htaccess'],
    ['100%', 1, '?topic=100%25', '?topic=100%25'],
    ['a?b', 1, '?topic=a%3Fb', '?topic=a%3Fb'],
    ['a:b', 1, '?topic=a%3Ab', '?topic=a%3Ab'],
    ["it's 1.5", 1, "?topic=it's%201.5", "/topic/it's%201.5"],
    ['a ', 1, '?topic=a%20', '?topic=a%20'],
    ['con', 1, '?topic=con', '?topic=con'],
    ['NUL', 2, '?topic=NUL&page=2', '?topic=NUL&page=2'],
    ['aux.tar.gz', 1, '?topic=aux.tar.gz', '?topic=aux.tar.gz'],
    ['Com1 .x', 1, '?topic=Com1%20.x', '?topic=Com1%20.x'],
    ['lpt²', 1, '?topic=lpt%C2%B2', '?topic=lpt%C2%B2'],
    ['CONIN$', 1, '?topic=CONIN%24', '?topic=CONIN%24'],
    ['contact', 1, '?topic=contact', '/topic/contact'],
    ['com10', 1, '?topic=com10', '/topic/com10'],
    ['index.html', 1, '?topic=index.html', '?topic=index.html'],
    ['About.HTM', 1, '?topic=About.HTM', '?topic=About.HTM'],
    ['html', 1, '?topic=html', '/topic/html'],
    ['日本', 1, '?topic=%E6%97%A5%E6%9C%AC', '/topic/%E6%97%A5%E6%9C%AC'],
    ['a'.repeat(255), 1, `?topic=${'a'.repeat(255)}`, `/topic/${'a'.repeat(255)}`],
    ['a'.repeat(256), 1, `?topic=${'a'.repeat(256)}`, `?topic=${'a'.repeat(256)}`],
  ])('§4.6 the value %j, page %s', (value, number, query, path) => {
    expect(getChoiceFilter(plain, 'topic', value as string, number)).toBe(query)
    expect(getChoiceFilter(isStatic, 'topic', value as string, number)).toBe(path)
  })

  test('§4.6 a filter whose name cannot be that of a file is in the query', () => {
    expect(getChoiceFilter(isStatic, 'aux', 'art')).toBe('?aux=art')
  })

  test.each([
    [1, '', ''],
    [2, '?page=2', '/page/2'],
    [0, '', ''],
    [-1, '', ''],
    [1.5, '', ''],
    [Number.NaN, '', ''],
    [Number.POSITIVE_INFINITY, '', ''],
  ])('§4.6 page %d', (number, query, path) => {
    expect(getPageFilter(plain, number)).toBe(query)
    expect(getPageFilter(isStatic, number)).toBe(path)
  })

  test('§4.6 they follow the URL of any index page, that of home included', () => {
    expect(withFilter('/', '/page/2')).toBe('/page/2')
    expect(withFilter('https://example.org/fr/', '/topic/art')).toBe('https://example.org/fr/topic/art')
    expect(withFilter('/fr/', '?page=2')).toBe('/fr/?page=2')
    expect(withFilter('/articles', '')).toBe('/articles')
  })
})

test('§4.6 a static build is one of an external front end; the header alone changes URLs and nothing else', () => {
  const by = (isExternalFront: boolean, isStaticBuild: boolean) =>
    contextOf(siteWith({}), { isExternalFront, isStaticBuild })
  expect([by(true, true), by(true, false), by(false, true)].map(isStaticBuild)).toEqual([true, false, false])
  expect([by(true, true), by(true, false), by(false, true)].map(isExternalFront)).toEqual([true, true, false])
})
