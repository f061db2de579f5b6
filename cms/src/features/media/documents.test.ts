import { expect, test } from 'vitest'
import { fetchFile, imagePiece, jpeg, upload, uploadedImage } from '../../../test/media.ts'
import { describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece, widget } from '../../model/declared/content-type.ts'

const picture = { type: 'attachment', fileGroup: 'images' } as const

const site = defineSite({
  types: [
    piece('story', {
      label: 'Story',
      pluralLabel: 'Stories',
      publicApiProjection: ['title', 'cover', 'gallery', 'body', '_lead', '_url'],
      fields: {
        add: {
          cover: picture,
          icon: { type: 'attachment', accepts: ['png'] },
          secretFile: { type: 'attachment', viewPermission: 'editor' },
          gallery: { type: 'array', fields: { add: { picture, secret: { ...picture, viewPermission: 'editor' } } } },
          body: { type: 'area', widgets: { banner: {}, '@cms/image': {} } },
          _lead: { type: 'relationship', withType: '@cms/image' },
          _more: { type: 'relationship', withType: '@cms/image' },
        },
      },
    }),
    piece('closed', { label: 'Closed', viewRole: 'editor', fields: { add: { file: { type: 'attachment' } } } }),
  ],
  widgets: [widget('banner', { fields: { add: { picture } } })],
})

describeService('§2.3 attachments of documents', { site, isLong: true }, (service) => {
  const image = () => uploadedImage(service)

  test('§4.3 an image piece answers its upload whole, with the documents that use it', async () => {
    const attachment = await image()
    const { status, body } = await service.editor.post('@cms/image', { title: 'Blue', alt: 'blue', attachment })
    expect(status).toBe(200)
    const docIds = ['draft', 'published'].map((mode) => `${body.aposDocId}:en:${mode}`)
    expect(body.attachment).toEqual({ ...attachment, _alt: 'blue', docIds: expect.any(Array) })
    expect(body.attachment.docIds.toSorted()).toEqual(docIds)
    expect(body._url).toBe(attachment._url)
    expect(body.slug).toBe('image-blue')
    const { body: list } = await service.editor.get('@cms/image', `_ids[]=${body._id}`)
    expect(list.results[0].attachment).toEqual(body.attachment)
    const { body: file } = await service.editor.post('@cms/file', { title: 'Blue', attachment: attachment._id })
    expect(file).toMatchObject({ _url: attachment._url, slug: 'file-blue', attachment: { md5: attachment.md5 } })
  })

  test('§2 an image without a title takes its file’s name', async () => {
    const { body: attachment } = await upload(service, 'editor', await jpeg(), 'The old_harbour.jpg')
    const { body } = await service.editor.post('@cms/image', { attachment })
    expect(body.title).toBe('The old harbour')
  })

  test('§2 a body cannot change a file’s properties, and an unknown attachment is `invalid`', async () => {
    const attachment = await image()
    const lie = { ...attachment, name: 'other', length: 1, _url: 'https://evil.test', extension: 'html' }
    const { body } = await service.editor.post('story', { title: 'Lie', cover: lie })
    expect(body.cover).toMatchObject({
      name: 'my-photo',
      extension: 'jpg',
      length: attachment.length,
      _url: attachment._url,
    })
    for (const cover of [{ _id: '01kunknown0000000000000000' }, { ...attachment, _id: 'nosuch' }, '../../etc', 7, {}]) {
      const refused = await service.editor.post('story', { title: 'Unknown', cover })
      expect(refused).toMatchObject({ status: 400, body: { data: { errors: [{ path: 'cover', name: 'invalid' }] } } })
    }
  })

  test('§2.3 attachment fields accept only files of their group and extensions', async () => {
    const { body: text } = await upload(service, 'editor', 'text', 'a.txt')
    const { body: refused } = await service.editor.post('story', { title: 'x', cover: text, icon: await image() })
    expect(refused.data.errors.map(({ path }: { path: string }) => path)).toEqual(['cover', 'icon'])
    expect(
      (await service.editor.patch(`story/${(await story({}))._id}`, { gallery: [{ picture: text }] })).body,
    ).toMatchObject({ name: 'invalid', data: { errors: [{ path: 'gallery.0.picture' }] } })
  })

  async function story(given: object, query = '') {
    const { status, body } = await service.editor.post('story', { title: 'Story', ...given }, query)
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }

  test('§2.3 attachments at any depth are filled in with one statement for a whole list, and one for what it relates to', async () => {
    const [cover, one, two] = [await image(), await image(), await image()]
    const lead = await imagePiece(service)
    const given = {
      cover,
      gallery: [{ picture: one }, { picture: null }],
      body: { items: [{ type: 'banner', picture: two }] },
      _lead: [lead],
    }
    const bare = await story({})
    const full = await story(given)
    expect(full.cover).toMatchObject({ _urls: cover._urls })
    expect(full.gallery[0].picture).toMatchObject({ _id: one._id, md5: one.md5, _urls: one._urls })
    expect(full.gallery[1].picture).toBe(null)
    expect(full.body.items[0].picture).toMatchObject({ _id: two._id, _urls: two._urls })
    expect(full._lead[0]).toMatchObject({ _url: lead._url, attachment: { _urls: lead.attachment._urls } })
    const stories = [full, await story(given), await story(given)]
    await service.quiet()
    const count = async (ids: readonly string[]) => {
      service.forget()
      const before = service.statements.length
      const { body } = await service.editor.get('story', ids.map((id) => `_ids[]=${id}`).join('&'))
      expect(body.results).toHaveLength(ids.length)
      return service.statements.length - before
    }
    const ofBare = await count([bare._id])
    const ofOne = await count([full._id])
    expect(await count(stories.map(({ _id }) => _id))).toBe(ofOne)
    // The related images, their attachments, and all others.
    expect(ofOne).toBe(ofBare + 3)
  })

  test('§2.3 docIds follow every change: drafts, publishing, archiving, replacing, deleting', async () => {
    const attachment = await image()
    const ids = async () => {
      const { body } = await service.editor.get(`story/${keeper._id}`)
      const of = (list: string[]) =>
        list.filter((id) => !id.startsWith(keeper.aposDocId)).map((id) => id.split(':').slice(1).join(':'))
      return [of(body.cover.docIds).toSorted(), of(body.cover.archivedDocIds).toSorted()]
    }
    const keeper = await story({ cover: attachment })
    const draft = await story({ cover: attachment }, 'aposMode=draft')
    expect(await ids()).toEqual([['en:draft'], []])
    const french = draft._id.replace(':en:', ':fr:')
    expect(french).not.toBe(draft._id)
    await service.editor.post(`story/${draft._id}/publish`)
    expect(await ids()).toEqual([['en:draft', 'en:published'], []])
    await service.editor.patch(`story/${draft._id}`, { cover: null })
    expect(await ids()).toEqual([['en:published'], []])
    await service.editor.post(`story/${draft.aposDocId}/revert-draft-to-published`)
    await service.editor.post(`story/${draft.aposDocId}/archive`)
    expect(await ids()).toEqual([[], ['en:draft', 'en:published']])
    await service.editor.post(`story/${draft.aposDocId}/restore`)
    expect(await ids()).toEqual([['en:draft', 'en:published'], []])
    await service.editor.delete(`story/${draft.aposDocId}`)
    expect(await ids()).toEqual([[], []])
  })

  test('§5 anonymous callers learn nothing of drafts, closed types, hidden fields and archived documents', async () => {
    const attachment = await image()
    const seen = await story({ cover: attachment })
    const inArea = await story({ body: { items: [{ type: 'banner', picture: attachment }] } })
    const hidden = [
      await story({ icon: attachment.extension === 'png' ? attachment : null, secretFile: attachment }),
      await story({ gallery: [{ secret: attachment }] }),
      await story({ cover: attachment, visibility: 'loginRequired' }),
      await story({ cover: attachment }, 'aposMode=draft'),
      (await service.admin.post('closed', { title: 'Closed', file: attachment })).body,
      await story({ cover: attachment, archived: true }),
    ]
    const idsFor = async (caller: 'anonymous' | 'guest' | 'contributor' | 'editor') => {
      const { body } = await service[caller].get(`story/${seen.aposDocId}`)
      return [...body.cover.docIds, ...body.cover.archivedDocIds]
    }
    const publicIds = [seen, inArea].map(({ aposDocId }) => `${aposDocId}:en:published`)
    expect((await idsFor('anonymous')).toSorted()).toEqual(publicIds.toSorted())
    expect((await idsFor('guest')).toSorted()).toEqual([...publicIds, `${hidden[2].aposDocId}:en:published`].toSorted())
    const contributors = await idsFor('contributor')
    for (const index of [0, 1, 4]) expect(contributors.join()).not.toContain(hidden[index].aposDocId)
    for (const index of [2, 3, 5]) expect(contributors.join()).toContain(hidden[index].aposDocId)
    const editors = (await idsFor('editor')).join()
    for (const { aposDocId } of hidden) expect(editors).toContain(aposDocId)
  })

  test('§5 anonymous callers see whole attachments of public documents, and no others', async () => {
    const lead = await imagePiece(service)
    const { aposDocId } = await story({ cover: await image(), secretFile: await image(), _lead: [lead], _more: [lead] })
    const { body } = await service.anonymous.get(`story/${aposDocId}`)
    expect(body.cover._urls).toHaveProperty('one-half')
    expect(body._lead[0]).toMatchObject({
      title: 'Image',
      _url: lead._url,
      attachment: { _urls: lead.attachment._urls },
    })
    expect(Object.keys(body)).not.toContain('secretFile')
    expect(Object.keys(body)).not.toContain('_more')
    const { body: list } = await service.anonymous.get('@cms/image', `_ids[]=${lead._id}`)
    expect(Object.keys(list.results[0]).toSorted()).toEqual(
      [
        '_id',
        '_tags',
        '_url',
        'alt',
        'aposDocId',
        'aposLocale',
        'aposMode',
        'attachment',
        'credit',
        'creditUrl',
        'metaType',
        'tagsFields',
        'tagsIds',
        'title',
        'type',
      ].toSorted(),
    )
  })

  test('§5 a file used only by hidden documents does not exist for other callers', async () => {
    const file = await image()
    await service.admin.post('closed', { title: 'Closed', file })
    const taken = await service.contributor.post('story', { title: 'x', cover: file._id }, 'aposMode=draft')
    const unknown = await service.contributor.post(
      'story',
      { title: 'x', cover: '01kunknown0000000000000000' },
      'aposMode=draft',
    )
    const withoutId = (text: string) => text.replaceAll(file._id, 'ID').replaceAll('01kunknown0000000000000000', 'ID')
    expect(taken.status).toBe(400)
    expect(withoutId(JSON.stringify(taken.body))).toBe(withoutId(JSON.stringify(unknown.body)))
    const crop = { top: 0, left: 0, width: 10, height: 10 }
    const cropped = await service.contributor.post('@cms/attachment/crop', { _id: file._id, crop })
    const cropUnknown = await service.contributor.post('@cms/attachment/crop', {
      _id: '01kunknown0000000000000000',
      crop,
    })
    expect([cropped.status, cropped.body]).toEqual([404, cropUnknown.body])
    expect((await service.editor.post('@cms/attachment/crop', { _id: file._id, crop })).body).toBe(true)
  })

  test('§4.3 a contributor’s image stays a draft until an editor publishes it', async () => {
    const { body: attachment } = await upload(service, 'contributor', await jpeg())
    expect((await service.contributor.post('@cms/image', { title: 'Mine', attachment })).status).toBe(403)
    const { body } = await service.contributor.post('@cms/image', { title: 'Mine', attachment }, 'aposMode=draft')
    expect(body.attachment.docIds).toEqual([`${body.aposDocId}:en:draft`])
    expect((await service.anonymous.get(`@cms/image/${body.aposDocId}`)).status).toBe(404)
    expect((await service.anonymous.get(`@cms/image/${body.aposDocId}/src`)).status).toBe(404)
    await service.editor.post(`@cms/image/${body._id}/publish`)
    expect((await service.anonymous.get(`@cms/image/${body.aposDocId}`)).status).toBe(200)
  })

  test('§4.3 src redirects to the file in the requested size', async () => {
    const { aposDocId, _id, attachment } = await imagePiece(service)
    const go = (path: string) => fetchFile(service, `/api/v1/@cms/image/${path}`)
    for (const id of [aposDocId, _id]) {
      const response = await go(`${id}/src`)
      expect([response.status, response.headers.get('location')]).toEqual([302, attachment._urls.max])
    }
    expect((await go(`${aposDocId}/src?size=one-sixth`)).headers.get('location')).toBe(attachment._urls['one-sixth'])
    expect((await go(`${aposDocId}/src?size=original`)).headers.get('location')).toBe(attachment._url)
    expect((await go(`${aposDocId}/src?size=huge`)).status).toBe(400)
    expect((await go('unknown/src')).status).toBe(404)
    expect((await go(`${aposDocId}/src?aposMode=draft`)).status).toBe(401)
    await service.editor.patch(`@cms/image/${_id}`, { visibility: 'loginRequired' })
    expect((await go(`${aposDocId}/src`)).status).toBe(404)
  })

  test('§4.3 images are found by their tags', async () => {
    const { body: tag } = await service.editor.post('@cms/image-tag', { title: 'Sea' })
    const tagged = await imagePiece(service, { _tags: [tag] })
    await imagePiece(service)
    for (const query of [`_tags=${tag._id}`, `tags=${tag.slug}`]) {
      const { body } = await service.editor.get('@cms/image', query)
      expect(body.results.map(({ _id }: { _id: string }) => _id)).toEqual([tagged._id])
    }
  })

  test('§4.1 a projection that leaves the file out still shows the URL, and the other way round', async () => {
    const { _id, _url } = await imagePiece(service)
    const { body: withUrl } = await service.editor.get(`@cms/image/${_id}`, 'project[_url]=1')
    expect(withUrl._url).toBe(_url)
    expect(Object.keys(withUrl)).not.toContain('attachment')
    const { body: withFile } = await service.editor.get(`@cms/image/${_id}`, 'project[attachment]=1')
    expect(Object.keys(withFile)).not.toContain('_url')
    expect(withFile.attachment._url).toBe(_url)
  })
})
