import { expect, test } from 'vitest'
import { hostLocales } from '../cms/src/http/requests/locale-prefixes.ts'
import { compileSite } from '../cms/src/model/compile/site.ts'
import { referenceSite } from './site.ts'

test('the reference site compiles, with each of its variations', () => {
  const site = compileSite(referenceSite({}))
  expect([...site.locales.keys()]).toEqual(['en', 'fr', 'es', 'de', 'it'])
  expect(site.types.get('article')?.publicProjection).toBeNull()
  expect(site.types.has('@cms/global')).toBe(true)

  const varied = compileSite(
    referenceSite({
      QUIRE_NAMESPACE: '@apostrophecms',
      QUIRE_ARTICLE_PUBLIC: '1',
      QUIRE_HOSTS: '1',
      QUIRE_BASE_URL: 'https://example.test',
    }),
  )
  expect(varied.types.get('article')?.publicProjection?.has('_topics')).toBe(true)
  expect(varied.types.has('@apostrophecms/global')).toBe(true)
  expect(varied.locales.get('de')).toMatchObject({ hostname: 'de.example.test', prefix: '' })
  expect(hostLocales(varied)({ host: 'en.example.test' })).toBe('en')
  expect(hostLocales(varied)({ host: 'de.example.test' })).toBe('de')
  expect(varied.baseUrl).toBe('https://example.test')
})
