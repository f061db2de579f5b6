import { beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { referenceSite } from '../../../../conformance/site.ts'
import { sampledDatabases } from '../../../test/databases.ts'
import { describePages } from '../../../test/pages.ts'
import { visit } from '../../../test/visits.ts'
import { createApp } from '../../app.ts'

const site = referenceSite({ QUIRE_ARTICLE_PUBLIC: '1' })

describePages('URLs of pieces', { isLong: true, site }, (pages) => {
  const urlsOf = async (caller: 'anonymous' | 'guest' | 'editor', query = '') => {
    const { body } = await pages.service[caller].get('article', query)
    return body.results.map(({ _url }: { _url?: string }) => _url)
  }
  let index: { _id: string; aposDocId: string }
  let topic: { _id: string }
  beforeAll(async () => {
    topic = (await pages.admin.post('topic', { title: 'Art' })).body
    await pages.admin.post('article', { title: 'One', _topics: [topic] })
    index = await pages.made('Articles', { type: 'article-page' })
  })

  it('§2.1 pieces have the URL below their index page in every answer', async () => {
    const { admin, anonymous } = pages.service
    const urls = { _url: '/articles/one', _parentUrl: '/articles', _parentSlug: '/articles' }
    const { body: list } = await admin.get('article')
    expect(list.results).toMatchObject([urls])
    expect((await admin.get(`article/${list.results[0]._id}`)).body).toMatchObject(urls)
    expect((await admin.get('article', 'search=one')).body.results).toMatchObject([urls])
    expect((await admin.get('topic')).body.results[0]._articles).toMatchObject([urls])
    expect((await admin.patch(`article/${list.results[0]._id}`, { subtitle: 'x' })).body).toMatchObject(urls)
    expect((await anonymous.get('article')).body.results).toMatchObject([urls])
    expect((await admin.get('topic')).body.results[0]).not.toHaveProperty('_url')
  })

  it('§2.1 drafts have the URL of the draft of their index page', async () => {
    await pages.admin.patch(`@cms/page/${index.aposDocId}`, { slug: '/drafted' }, 'aposMode=draft')
    expect(await urlsOf('editor', 'aposMode=draft')).toEqual(['/drafted/one'])
    expect(await urlsOf('editor')).toEqual(['/articles/one'])
    await pages.admin.post(`@cms/page/${index.aposDocId}/revert-draft-to-published`)
  })

  it('§2.1 right after the index page has another slug, pieces have other URLs', async () => {
    for (const slug of ['/news', '/articles']) {
      await urlsOf('anonymous')
      await pages.admin.patch(`@cms/page/${index._id}`, { slug })
      expect(await urlsOf('anonymous')).toEqual([`${slug}/one`])
      expect(await urlsOf('editor')).toEqual([`${slug}/one`])
    }
  })

  it('§5.8 who may not visit the index page gets no URLs', async () => {
    await pages.admin.patch(`@cms/page/${index._id}`, { visibility: 'loginRequired' })
    expect(await urlsOf('anonymous')).toEqual([undefined])
    expect(await urlsOf('guest')).toEqual(['/articles/one'])
    expect(await visit(pages.service, '/articles/one')).toMatchObject({ status: 404 })
    await pages.admin.patch(`@cms/page/${index._id}`, { visibility: 'public' })
    expect(await urlsOf('anonymous')).toEqual(['/articles/one'])
  })

  it('§2.1 archived pieces, and those without an index page any more, have none', async () => {
    const { body } = await pages.admin.post('article', { title: 'Two' })
    await pages.admin.post(`article/${body._id}/archive`)
    expect(await urlsOf('editor', 'archived=true')).toEqual([undefined])
    await pages.admin.patch(`@cms/page/${index._id}`, { _targetId: '_archive', _position: 'lastChild' })
    expect(await urlsOf('editor')).toEqual([undefined])
  })
})

describe.each(sampledDatabases('urls of two processes'))('URLs of pieces in two processes on $name', (databases) => {
  test('§2.1 a write of the index page shows in URLs that another process answers', async () => {
    const database = await databases.createReady()
    onTestFinished(() => database.drop())
    const addresses: string[] = []
    for (const _ of [1, 2]) {
      const app = await createApp(site, {
        database: database.url,
        keys: [{ key: 'key-editor', role: 'editor', name: 'editor' }],
      })
      onTestFinished(() => app.close())
      addresses.push(`${await app.listen(0, '127.0.0.1')}`)
    }
    const [one = '', other = ''] = addresses
    const send = async (method: string, path: string, body: object) => {
      const headers = { authorization: 'ApiKey key-editor', 'content-type': 'application/json' }
      const answer = await fetch(`${one}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) })
      expect(answer.status).toBe(200)
      return { revision: answer.headers.get('quire-revision') ?? '', body: (await answer.json()) as { _id: string } }
    }
    const target = { _targetId: '_home', _position: 'lastChild' }
    const { body: page } = await send('POST', '@cms/page', { type: 'article-page', title: 'Articles', ...target })
    await send('POST', 'article', { title: 'One' })
    for (const slug of ['/a', '/b', '/c']) {
      const { revision } = await send('PATCH', `@cms/page/${page._id}`, { slug })
      const list = await fetch(`${other}/api/v1/article`, { headers: { 'quire-revision': revision } })
      expect(await list.json()).toMatchObject({ results: [{ _url: `${slug}/one` }] })
      expect(await visit({ address: other }, `${slug}/one`)).toMatchObject({ status: 200 })
    }
  })
})
