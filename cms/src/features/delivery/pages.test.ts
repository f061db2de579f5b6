import { request } from 'node:http'
import { beforeAll, expect, it } from 'vitest'
import { describePages } from '../../../test/pages.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'

/** A path exactly as it is given: `fetch` would tidy it. */
function raw(address: string, path: string): Promise<{ status: number; location: string | undefined }> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

describePages('pages at public URLs', { isLong: true, frontKey: FRONT_KEY }, (pages) => {
  const open = (path: string, visitor = {}) => visit(pages.service, path, visitor)
  beforeAll(async () => {
    const about = await pages.made('About', { intro: 'Who we are' })
    await pages.made('Team', { _targetId: about._id })
    await pages.made('Members', { visibility: 'loginRequired' })
    await pages.made('Hidden from navigation', { orphan: true })
    await pages.made('Żółw 東京', { slug: '/żółw-東京' })
    await pages.made('Draft only', {}, 'aposMode=draft')
    await pages.made('Articles', { type: 'article-page' })
    for (const title of ['One', 'Two', 'Three']) await pages.admin.post('article', { title })
    await pages.admin.post('article', { title: 'For members', visibility: 'loginRequired' })
  })

  it('§4.2b are HTML: home, pages at any depth, index pages, pieces, in any script', async () => {
    for (const [path, title] of [
      ['/', 'Home'],
      ['/fr/', 'Home'],
      ['/about', 'About'],
      ['/about/team', 'Team'],
      ['/hidden-from-navigation', 'Hidden from navigation'],
      ['/%C5%BC%C3%B3%C5%82w-%E6%9D%B1%E4%BA%AC', 'Żółw 東京'],
      // The same letters, decomposed.
      [`/${encodeURIComponent('żółw-東京'.normalize('NFD'))}`, 'Żółw 東京'],
      ['/articles', 'Articles'],
      ['/articles/two', 'Two'],
    ]) {
      const { status, text, headers } = await open(path ?? '')
      expect({ path, status, type: headers.get('content-type') }).toEqual({
        path,
        status: 200,
        type: 'text/html; charset=utf-8',
      })
      expect(text).toContain(`<h1>${title}</h1>`)
    }
    expect((await open('/fr/')).text).toContain('<html lang="fr"')
  })

  it('§4.2b have at most 30 combining marks in a row: a step with more is not found', async () => {
    const slug = `/a${'\u0323\u0302'.repeat(15)}`
    const made = await pages.made('Marked', { slug })
    expect(made.slug).toBe(slug.normalize('NFC'))
    const statusOf = async (step: string) => (await open(encodeURI(step))).status
    expect(await statusOf(slug)).toBe(200)
    expect(await statusOf(`${slug}\u0302`)).toBe(404)
    expect(await statusOf(`/articles/${slug.slice(1)}\u0302`)).toBe(404)
  })

  it('§4.2b are for browsers alone: pages of other sites may read the interface, not these', async () => {
    expect((await open('/')).headers.get('access-control-allow-origin')).toBeNull()
    expect((await open('/')).headers.get('access-control-allow-origin')).toBeNull()
    expect((await open('/api/v1/@cms/page')).headers.get('access-control-allow-origin')).toBe('*')
  })

  it('§4.2b aposRefresh answers the refreshable part alone', async () => {
    const { text } = await open('/about?aposRefresh=1')
    expect(text).toContain('<h1>About</h1>')
    expect(text).not.toContain('<html')
  })

  it('§4.2b what is not there, or not for this visitor, has the 404 page', async () => {
    for (const path of ['/nosuch', '/about/nosuch', '/members', '/draft-only', '/articles/for-members', '/archive']) {
      const { status, text, headers } = await open(path)
      expect({ path, status, caching: headers.get('cache-control') }).toEqual({
        path,
        status: 404,
        caching: 'no-store',
      })
      expect(text).toContain('<!doctype html>')
    }
    for (const path of ['/members', '/articles/for-members']) {
      expect(await open(path, { role: 'guest' })).toMatchObject({ status: 200 })
    }
  })

  it('§4.2b redirects keep the query and never leave the site', async () => {
    const { address } = pages.service
    for (const [path, location] of [
      ['/about/', '/about'],
      ['/about/?a=1&b[]=2', '/about?a=1&b[]=2'],
      ['/About/Team', '/about/team'],
      ['/fr', '/fr/'],
      ['//', '/'],
      ['//evil.example/', '/evil.example'],
      ['//evil.example//x', '/evil.example/x'],
      ['/\\evil.example/', '/%5Cevil.example'],
      ['/%5Cevil.example/', '/%5Cevil.example'],
      ['/%2F%2Fevil.example/', '/%2F%2Fevil.example'],
      ['/%2f/evil.example/', '/%2F/evil.example'],
      ['/x%0d%0aSet-Cookie:a=b/', '/x%0D%0ASet-Cookie%3Aa=b'],
      ['/https://evil.example/', '/https%3A/evil.example'],
      ['/ŻÓŁW-東京', '/%C5%BC%C3%B3%C5%82w-%E6%9D%B1%E4%BA%AC'],
    ] as const) {
      const answer = await raw(address, path.includes('Ż') ? encodeURI(path) : path)
      expect({ path, ...answer }).toEqual({ path, status: 302, location })
      expect(new URL(answer.location ?? '', 'http://this.example').host).toBe('this.example')
    }
    expect(await raw(address, '/%2E%2E/%2E%2E/etc/passwd')).toMatchObject({ status: 404 })
    expect(await raw(address, `/${'a/'.repeat(3000)}b`)).toMatchObject({ status: 404 })
    expect(await raw(address, `/${'%C5%BC'.repeat(2000)}`)).toMatchObject({ status: 404 })
    expect(await raw(address, '/%zz')).toMatchObject({ status: 400 })
  })

  it('§4.2b a former URL leads to where the page is now, and to the pieces below it', async () => {
    const page = await pages.made('Old name')
    const index = await pages.made('Old articles', { type: 'article-page' })
    await pages.admin.patch(`@cms/page/${page._id}`, { slug: '/new-name' })
    await pages.admin.patch(`@cms/page/${index._id}`, { slug: '/new-articles' })
    for (const [path, location] of [
      ['/old-name', '/new-name'],
      ['/old-name?x=1', '/new-name?x=1'],
      ['/old-articles', '/new-articles'],
      ['/old-articles/two', '/new-articles/two'],
    ]) {
      const { status, headers, text } = await open(path ?? '')
      const found = { path, status, location: headers.get('location'), text }
      expect(found).toEqual({ path, status: 302, location, text: `Found. Redirecting to ${location}` })
    }
    expect(await open('/old-name/two')).toMatchObject({ status: 404 })
    await pages.admin.patch(`@cms/page/${page._id}`, { visibility: 'loginRequired' })
    expect(await open('/old-name')).toMatchObject({ status: 404 })
    await pages.admin.delete(`@cms/page/${index._id}`)
    await pages.admin.delete(`@cms/page/${page._id}`)
  })

  it('§4.2b drafts are for those who may read them', async () => {
    expect(await open('/draft-only?aposMode=draft')).toMatchObject({ status: 401 })
    expect(await open('/nosuch?aposMode=draft')).toMatchObject({ status: 401 })
    expect(await open('/draft-only?aposMode=draft', { role: 'guest' })).toMatchObject({ status: 403 })
    const { status, text, headers } = await open('/draft-only?aposMode=draft', { role: 'contributor' })
    expect({ status, caching: headers.get('cache-control') }).toEqual({ status: 200, caching: 'no-store' })
    expect(text).toContain('<h1>Draft only</h1>')
  })

  it('§4.2b answers to visitors can be revalidated, those to anybody known are not stored', async () => {
    const first = await open('/about')
    const tag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('public, no-cache')
    expect(first.headers.get('vary')).toContain('Apos-External-Front-Key')
    expect(await open('/about', { headers: { 'if-none-match': tag } })).toMatchObject({ status: 304, text: '' })
    const head = await open('/about', { method: 'HEAD' })
    expect({ status: head.status, text: head.text, tag: head.headers.get('etag') }).toEqual({
      status: 200,
      text: '',
      tag,
    })
    const front = await open('/about', { front: true })
    const again = await open('/about', { front: true, headers: { 'if-none-match': front.headers.get('etag') ?? '' } })
    expect(again).toMatchObject({ status: 304 })
    for (const visitor of [{ role: 'guest' }, { role: 'admin', front: true }]) {
      const { headers } = await open('/about', visitor)
      expect(headers.get('cache-control')).toBe('no-store')
    }
    const page = await pages.made('Changing')
    await open('/changing')
    await pages.admin.patch(`@cms/page/${page._id}`, { title: 'Changed' })
    expect((await open('/changing')).text).toContain('<h1>Changed</h1>')
    await pages.admin.delete(`@cms/page/${page._id}`)
  })

  it('§4.2b failures look like pages; nothing that was sent becomes part of them as HTML', async () => {
    for (const [path, status] of [
      ['/about?apikey=wrong', 401],
      ['/about?aposLocale=%3Cscript%3E', 400],
      ['/about?aposMode=x', 400],
      ['/%3Cscript%3Ealert(1)%3C/script%3E', 404],
      ['/it/', 404],
      ['/%zz', 400],
    ] as const) {
      const answer = await open(path)
      expect({ path, status: answer.status }).toEqual({ path, status })
      expect(answer.text).toContain('<!doctype html>')
      expect(answer.text).not.toContain('<script>')
    }
    expect(await open('/it/', { front: true })).toMatchObject({ status: 404, data: { page: null } })
    expect(await open('/about?apikey=wrong', { front: true })).toMatchObject({
      status: 401,
      data: { name: 'unauthorized' },
    })
  })

  it('§4.2b only GET and HEAD are for pages', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const answer = await fetch(`${pages.service.address}/about`, { method })
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'OPTIONS, HEAD, GET'])
    }
  })
})
