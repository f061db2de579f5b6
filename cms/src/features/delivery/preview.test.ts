import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { sampledDatabases } from '../../../test/databases.ts'
import { describePages } from '../../../test/pages.ts'
import { callerOf, describeService } from '../../../test/service.ts'
import { FRONT_KEY, type Visitor, visit } from '../../../test/visits.ts'
import { createKey, revokeKey } from '../../engine/access/keys.ts'
import { defineSite } from '../../model/compile/site.ts'

describePages('previews', { isLong: true, frontKey: FRONT_KEY }, (pages) => {
  const open = (url: string, visitor: Visitor = {}) =>
    visit(pages.service, url.replace(/^https?:\/\/[^/]+/, ''), visitor)
  const previewOf = async (type: string, id: string, query = '') => {
    const answer = await pages.admin.post(`${type}/${id}/preview`, {}, query)
    expect(answer).toMatchObject({
      status: 200,
      body: { url: expect.stringContaining('quirePreview='), expiresAt: expect.any(String) },
    })
    return answer.body.url as string
  }
  const made = { about: '', articles: '', article: '', topic: '' }

  beforeAll(async () => {
    made.about = (await pages.made('About', { intro: 'Published' })).aposDocId
    made.articles = (await pages.made('Articles', { type: 'article-page' })).aposDocId
    await pages.admin.patch(`@cms/page/${made.about}`, { intro: 'Waiting', title: 'About, revised' }, 'aposMode=draft')
    made.article = (await pages.admin.post('article', { title: 'Unpublished' }, 'aposMode=draft')).body.aposDocId
  })

  it('§4.2b show the draft of a page to everybody who has the link, and everything else as it is published', async () => {
    await pages.made('Not yet', {}, 'aposMode=draft')
    const url = await previewOf('@cms/page', made.about)
    const { status, headers, text } = await open(url)
    expect({ status, text }).toMatchObject({ status: 200, text: expect.stringContaining('<h1>About, revised</h1>') })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    const { data } = await open(url, { front: true })
    expect(data).toMatchObject({ page: { title: 'About, revised' } })
    expect(headers.get('x-quire-preview')).toBe('true')
    expect(JSON.stringify(data)).not.toContain('quirePreview')
    expect(data.user).toBeUndefined()
    expect(data.query).toEqual({})
    const inNavigation = data.home._children.map(({ title }: { title: string }) => title)
    expect(inNavigation).toContain('About')
    expect(inNavigation).not.toContain('Not yet')
    expect(JSON.stringify(data)).not.toContain('"_edit":true')
    expect((await open('/about')).text).toContain('<h1>About</h1>')
  })

  it('§4.2b show a piece that was never published, on its index page', async () => {
    const url = await previewOf('article', made.article)
    expect((await open(url.replace(/\?.*/, ''))).status).toBe(404)
    const { data, status } = await open(url, { front: true })
    expect(status).toBe(200)
    expect(data).toMatchObject({
      page: { title: 'Articles' },
      piece: { title: 'Unpublished' },
      previous: null,
      next: null,
    })
    expect((await open(url, { method: 'HEAD' })).status).toBe(200)
  })

  it('§4.2b show a page that only users may see, but none of its children', async () => {
    const page = await pages.made('Members', { visibility: 'loginRequired' })
    await pages.made('Minutes', { visibility: 'loginRequired', _targetId: page.aposDocId })
    const url = await previewOf('@cms/page', page.aposDocId)
    expect((await open('/members')).status).not.toBe(200)
    const { status, data, text } = await open(url, { front: true })
    expect({ status, data }).toMatchObject({ status: 200, data: { page: { title: 'Members', _children: [] } } })
    expect(text).not.toContain('Minutes')
  })

  it('§4.2b open nothing in the interface, nor any other draft', async () => {
    const token = new URL(await previewOf('@cms/page', made.about), pages.service.address).search
    for (const path of [
      `/api/v1/@cms/page/${made.about}${token}&aposMode=draft`,
      `/api/v1/article/${made.article}${token}&aposMode=draft`,
    ]) {
      expect((await open(path)).status).toBe(401)
    }
    expect((await open(`/articles/unpublished${token}`, { front: true })).data).toMatchObject({
      page: { title: 'About, revised' },
    })
    expect((await open(`/articles${token}&aposMode=draft&aposLocale=fr`, { front: true })).data).toMatchObject({
      locale: 'en',
      page: { title: 'About, revised' },
    })
  })

  it('§4.2b are made by those who may read the draft', async () => {
    const { guest, anonymous, contributor } = pages.service
    expect((await anonymous.post(`@cms/page/${made.about}/preview`, {})).status).toBe(401)
    expect((await guest.post(`@cms/page/${made.about}/preview`, {})).status).toBe(403)
    expect((await contributor.post(`@cms/page/${made.about}/preview`, {})).status).toBe(200)
    expect((await contributor.post(`@cms/page/${made.article}/preview`, {})).status).toBe(404)
    expect((await contributor.post('article/nosuchdocument/preview', {})).status).toBe(404)
    expect(await contributor.post('@cms/page/_home/preview', {})).toMatchObject({ status: 200 })
    const { body: topic } = await pages.admin.post('topic', { title: 'Art' })
    expect(await contributor.post(`topic/${topic.aposDocId}/preview`, {})).toMatchObject({
      status: 400,
      body: { name: 'invalid', message: expect.stringContaining('no page') },
    })
  })

  it('§4.2b end when they are revoked; wrong ones are refused, not ignored', async () => {
    const url = await previewOf('@cms/page', made.about)
    const other = await previewOf('article', made.article)
    expect((await open(url)).status).toBe(200)
    expect(await pages.admin.delete(`@cms/page/${made.about}/preview`)).toMatchObject({ status: 200, body: {} })
    expect((await open(url)).status).toBe(401)
    expect((await open(url, { front: true })).status).toBe(401)
    expect((await open(other)).status).toBe(200)
    for (const wrong of [
      '?quirePreview=',
      '?quirePreview=wrong',
      '?quirePreview[]=a',
      '?quirePreview=a&quirePreview=b',
    ]) {
      expect((await open(`/about${wrong}`)).status).toBe(401)
    }
  })

  it('§4.2b show no more than their maker may see now', async () => {
    const { body: user } = await pages.admin.post('@cms/user', {
      username: 'maker',
      title: 'Maker',
      password: 'a long pass phrase',
      role: 'contributor',
    })
    const { anonymous } = pages.service
    const { body } = await anonymous.post('@cms/login/login', { username: 'maker', password: 'a long pass phrase' })
    const maker = callerOf(pages.service.address, null, null, { authorization: `Bearer ${body.token}` })
    const { url } = (await maker.post(`@cms/page/${made.about}/preview`, {})).body
    expect((await open(url)).status).toBe(200)
    await pages.admin.patch(`@cms/user/${user.aposDocId}`, { role: 'guest' })
    expect((await open(url)).status).toBe(404)
    await pages.admin.patch(`@cms/user/${user.aposDocId}`, { role: 'contributor', disabled: true })
    expect((await open(url)).status).toBe(401)
  })

  it('§4.2b end with the key that made them', async () => {
    const operator = pages.service.app.context({ kind: 'operator' })
    const { key, stored } = await createKey(operator, { name: 'makes previews', role: 'contributor' })
    const maker = callerOf(pages.service.address, key, null)
    const { url } = (await maker.post(`@cms/page/${made.about}/preview`, {})).body
    expect((await open(url)).status).toBe(200)
    await revokeKey(operator, stored.id)
    expect((await open(url)).status).toBe(401)
  })
})

const brief = { site: defineSite({ previewLifetime: 1 }), on: sampledDatabases('previews of a millisecond') }

describeService('previews of a millisecond', brief, (service) => {
  it('§4.2b end when their time is over', async () => {
    const { body } = await service.admin.post('@cms/page/_home/preview', {})
    await setTimeout(5)
    expect((await visit(service, body.url.replace(/^https?:\/\/[^/]+/, ''))).status).toBe(401)
  })
})
