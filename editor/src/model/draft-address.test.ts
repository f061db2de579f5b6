import { expect, test } from 'vitest'
import { draftAddress, publishedAddress } from './draft-address.ts'

const HERE = 'https://edit.example.org'
const FRONT = 'https://www.example.org'
const QUERY = '?aposMode=draft&aposEdit=1'
const at = (url: unknown, frontends: readonly string[] = []) => draftAddress(url, { here: HERE, frontends }, null)

test('§11.3 a draft is drawn by the service, or by the front end that shows its page', () => {
  expect(at('/about')).toBe(`${HERE}/about${QUERY}`)
  expect(at(`${HERE}/about?a=b#c`)).toBe(`${HERE}/about?a=b&aposMode=draft&aposEdit=1`)
  expect(at('/about', [FRONT])).toBe(`${FRONT}/about${QUERY}`)
  expect(at(`${FRONT}/about`, ['https://fr.example.org', FRONT])).toBe(`${FRONT}/about${QUERY}`)
  expect(at('/about', [FRONT, HERE])).toBe(`${HERE}/about${QUERY}`)
  expect(draftAddress('/about', { here: HERE, frontends: [] }, 'fr')).toBe(`${HERE}/about${QUERY}&aposLocale=fr`)
})

test('§11.3 what is published is shown at the same place', () => {
  expect(publishedAddress('/about?a=b#c', { here: HERE, frontends: [FRONT] })).toBe(`${FRONT}/about?a=b`)
  expect(publishedAddress('https://evil.example/', { here: HERE, frontends: [FRONT] })).toBeNull()
})

test('§11.3 nothing else is framed', () => {
  for (const url of ['', null, 7, `${FRONT}/about`, '//evil.example/', 'javascript:alert(1)', 'data:text/html,x'])
    expect({ url, address: at(url) }).toEqual({ url, address: null })
  expect(at('https://evil.example/', [FRONT])).toBeNull()
  expect(at(`${HERE}//evil.example/`)).toBe(`${HERE}//evil.example/${QUERY}`)
})
