import { describe, expect, test } from 'vitest'
import { sampledDatabases } from '../../../test/databases.ts'
import { describeService } from '../../../test/service.ts'
import { send } from '../../../test/wire.ts'
import { defineSite, page } from '../../index.ts'

const LONG = 'a'.repeat(6000)
/** Below the path of the editor, each with its status; 200 is the page of the editor. */
const TRICKS: Readonly<Record<string, number>> = {
  '': 200,
  '/': 200,
  '//': 200,
  '//evil.example': 200,
  '///evil.example/%2f..': 200,
  '/%2f%2fevil.example': 200,
  '/\\evil.example': 200,
  '/%5cevil.example': 200,
  '/..%2f': 200,
  '/..%2f..%2fpackage.json': 200,
  '/%2e%2e/%2e%2e/package.json': 200,
  '/../../package.json': 200,
  '/content/%2f': 200,
  '/content/article%2fnew': 200,
  '/%00': 200,
  [`/${LONG}`]: 200,
  '/inside.js%00': 200,
  '/assets': 200,
  '?locale=%00': 200,
  '/assets/../../package.json': 404,
  '/assets/../../../index.html': 404,
  '/assets/..%2f..%2findex.html': 404,
  '/assets/%2e%2e%2findex.html': 404,
  '/assets/%2e%2e%5c..%5cindex.html': 404,
  '/assets//': 404,
  '/assets/..': 404,
  '/assets/%00': 404,
  [`/assets/${LONG}.js`]: 404,
  '%00': 404,
  ';x': 404,
  '.html': 404,
  '/%': 400,
  '/%zz': 400,
  '/%ff': 400,
  '/%c0%ae%c0%ae/': 400,
  '/assets/%zz': 400,
  '?x=%zz': 400,
}
const shown = (path: string) => path.replaceAll(LONG, 'LONG')

const EDITORS = [
  { title: 'an editor at its own path', options: {}, base: '/admin' },
  { title: 'an editor at another path', options: { editor: { path: '/x' } }, base: '/x' },
  { title: 'an editor below a prefix', options: { prefix: '/site', editor: { path: '/x' } }, base: '/site/x' },
]
const on = sampledDatabases('editor-paths')
const siteWith = (options: object) => defineSite({ types: [page('leaf', {})], ...options })

describe.each(EDITORS)('$title', ({ title, options, base }) => {
  describeService(`§11 odd addresses of ${title}`, { site: siteWith(options), on }, (service) => {
    const get = (path: string) => send(service.address, { method: 'GET', path })

    test('are its page or nothing, and show no other file', async () => {
      const own = await get(base)
      for (const [trick, status] of Object.entries(TRICKS)) {
        const answer = await get(base + trick)
        expect({ trick: shown(trick), status: answer.status }).toEqual({ trick: shown(trick), status })
        if (status === 200) expect(answer.text).toBe(own.text)
        expect(answer.headers['content-security-policy']).toContain(
          status === 200 ? "default-src 'none'; script-src" : "'none'",
        )
      }
    })

    test('lead nowhere else where they are put right', async () => {
      for (const path of [base.toUpperCase(), `/${base}`, `${base.toUpperCase()}/`, `//evil.example${base}`]) {
        const { status, headers } = await get(path)
        expect({ path, status: [302, 404].includes(status), to: headers.location ?? '/' }).toMatchObject({
          status: true,
          to: expect.stringMatching(/^\/(?!\/)/),
        })
        expect(headers['content-security-policy']).toContain("'none'")
      }
    })
  })
})

describeService('§11 odd addresses of no editor', { site: siteWith({ editor: false }), on }, (service) => {
  test('are not found', async () => {
    for (const [trick, status] of Object.entries(TRICKS)) {
      const answer = await send(service.address, { method: 'GET', path: `/admin${trick}` })
      expect({ trick: shown(trick), isRefused: [302, 400, 404].includes(answer.status) }).toEqual({
        trick: shown(trick),
        isRefused: true,
      })
      if (status === 200) expect(answer.text).not.toContain('id="app"')
      expect(answer.headers['content-security-policy']).toContain("'none'")
    }
  })
})
