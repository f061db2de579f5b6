import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fetchFile, imagePiece, keptFiles, upload, uploadedImage } from '../../../test/media.ts'
import { describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'

const site = defineSite({
  types: [
    piece('story', {
      publicApiProjection: ['title', '_lead', '_second'],
      fields: {
        add: {
          _lead: { type: 'relationship', withType: '@cms/image' },
          _second: { type: 'relationship', withType: '@cms/image', builders: { project: { title: 1, _url: 1 } } },
          rows: {
            type: 'array',
            fields: { add: { _image: { type: 'relationship', withType: '@cms/image', max: 1 } } },
          },
        },
      },
    }),
  ],
})

const CROP = { top: 10, left: 20, width: 300, height: 150 }

describeService('§4.3 crops', { site, isLong: true }, (service) => {
  const crop = (body: object, who: 'anonymous' | 'guest' | 'contributor' | 'editor' = 'editor') =>
    service[who].post('@cms/attachment/crop', body)
  const cropsOf = async (id: string) => {
    const found = await service.app.store.attachments.byIds([id])
    return found.get(id)?.attachment.crops
  }
  const sizeOf = async (url: string) => {
    const response = await fetchFile(service, url)
    if (response.status !== 200) return response.status
    const { width, height } = await sharp(await response.arrayBuffer()).metadata()
    return [width, height]
  }

  test('§4.3 a crop is stored in all sizes under its name, top first, and also answers under left first', async () => {
    const { _id } = await uploadedImage(service)
    expect(await crop({ _id, crop: CROP }, 'contributor')).toMatchObject({ status: 200, body: true })
    expect(await cropsOf(_id)).toEqual([CROP])
    const url = (part: string) => `/uploads/attachments/${_id}-my-photo.${part}.jpg`
    expect(await sizeOf(url('10.20.300.150'))).toEqual([300, 150])
    expect(await sizeOf(url('10.20.300.150.one-sixth'))).toEqual([190, 95])
    expect(await sizeOf(url('20.10.300.150'))).toEqual([300, 150])
    expect(await sizeOf(url('20.10.300.150.one-sixth'))).toEqual([190, 95])
    expect(await sizeOf(url('10.20.300.151'))).toBe(404)
    expect((await keptFiles(service)).filter((name) => name.includes('.10.20.300.150'))).toHaveLength(7)
  })

  test('§4.3 of two crops that claim one name the specification’s wins', async () => {
    const { _id } = await uploadedImage(service, 400, 200)
    const url = `/uploads/attachments/${_id}-my-photo.120.0.50.50.jpg`
    const get = async () => {
      const response = await fetchFile(service, url)
      const { data } = await sharp(await response.arrayBuffer())
        .raw()
        .toBuffer({ resolveWithObject: true })
      return [response.headers.get('cache-control'), (data[0] ?? 0) > 200 ? 'white' : 'blue']
    }
    await crop({ _id, crop: { top: 0, left: 120, width: 50, height: 50 } })
    expect(await get()).toEqual(['public, no-cache', 'white'])
    await crop({ _id, crop: { top: 120, left: 0, width: 50, height: 50 } })
    expect(await get()).toEqual(['public, max-age=31536000, immutable', 'blue'])
  })

  test('§4.3 the same crop is stored once, even when requested eight times at once', async () => {
    const { _id } = await uploadedImage(service)
    const answers = await Promise.all(Array.from({ length: 8 }, () => crop({ _id, crop: CROP })))
    expect(answers.map(({ body }) => body)).toEqual(Array(8).fill(true))
    expect(await cropsOf(_id)).toEqual([CROP])
  })

  test.each([
    [{ ...CROP, left: 200 }, ['crop.width']],
    [{ ...CROP, top: 100 }, ['crop.height']],
    [{ ...CROP, top: -5 }, ['crop.top']],
    [{ ...CROP, width: 0 }, ['crop.width']],
    [{ ...CROP, top: 'a' }, ['crop.top']],
    [{ ...CROP, top: 1.5 }, ['crop.top']],
    [{ left: 1, width: 10 }, ['crop.top', 'crop.height']],
    [{}, ['crop.top', 'crop.left', 'crop.width', 'crop.height']],
    [undefined, ['crop']],
    [[1, 2, 3, 4], ['crop']],
  ])('§4.3 %j is `invalid`, and changes nothing', async (given, paths) => {
    const { _id } = await uploadedImage(service)
    const { status, body } = await crop({ _id, crop: given })
    expect([status, body.data.errors.map(({ path }: { path: string }) => path)]).toEqual([400, paths])
    expect(await cropsOf(_id)).toEqual([])
  })

  test('§4.3 a crop without an id, of a file that is not a raster image, or of an unknown file is refused', async () => {
    expect((await crop({ crop: CROP })).status).toBe(400)
    const { body: text } = await upload(service, 'editor', 'text', 'a.txt')
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="9" height="9"/></svg>'
    const { body: drawing } = await upload(service, 'editor', svg, 'a.svg')
    for (const { _id } of [text, drawing]) {
      expect((await crop({ _id, crop: CROP })).body).toMatchObject({
        name: 'invalid',
        data: { errors: [{ path: '_id' }] },
      })
    }
    for (const _id of ['nosuch', '../x', '01kunknown0000000000000000']) {
      expect((await crop({ _id, crop: CROP })).status).toBe(404)
    }
    expect((await crop({ _id: { $ne: '' }, crop: CROP })).status).toBe(400)
  })

  test('§5 anonymous callers and guests may not crop, and learn nothing of ids', async () => {
    const { _id } = await uploadedImage(service)
    for (const id of [_id, 'nosuch']) {
      expect((await crop({ _id: id, crop: CROP }, 'anonymous')).status).toBe(401)
      expect((await crop({ _id: id, crop: CROP }, 'guest')).status).toBe(403)
    }
    expect(await cropsOf(_id)).toEqual([])
  })

  test('§4.3 a crop requested by a relationship is made, and the image’s URLs there are the crop’s', async () => {
    const image = await imagePiece(service)
    const { _id: attachmentId } = image.attachment
    const related = { ...image, _fields: { ...CROP, x: 50, y: 40 } }
    const { status, body } = await service.editor.post('story', { title: 'Story', _lead: [related], _second: [image] })
    expect(status).toBe(200)
    expect(await cropsOf(attachmentId)).toEqual([CROP])
    const part = (size: string) => `/uploads/attachments/${attachmentId}-my-photo.10.20.300.150${size}.jpg`
    const [lead] = body._lead
    expect(lead._fields).toMatchObject({ ...CROP, x: 50, y: 40 })
    expect(lead._url).toBe(part(''))
    expect(lead.attachment._url).toBe(part(''))
    expect(lead.attachment._urls).toEqual({
      ...Object.fromEntries(
        ['max', 'full', 'two-thirds', 'one-half', 'one-third', 'one-sixth'].map((size) => [size, part(`.${size}`)]),
      ),
      original: part(''),
      uncropped: image.attachment._urls,
    })
    expect(body._second[0]._url).toBe(image._url)
    expect(await sizeOf(lead.attachment._urls['one-sixth'])).toEqual([190, 95])
    const { body: seen } = await service.anonymous.get(`story/${body.aposDocId}`)
    expect(seen._lead[0].attachment._urls).toEqual(lead.attachment._urls)
    expect(seen._second[0]).toMatchObject({ title: 'Image', _url: image._url })
  })

  test('§5 anonymous callers and guests do not learn of crops that drafts request', async () => {
    const image = await imagePiece(service)
    const cropped = { ...CROP, width: 77 }
    const related = [{ _id: image._id, _fields: cropped }]
    const { body: draft } = await service.contributor.post(
      'story',
      { title: 'Secret', _lead: related },
      'aposMode=draft',
    )
    const { body: story } = await service.editor.post('story', { title: 'Open', _lead: [image] })
    const { status } = await service.contributor.patch(`story/${story._id}`, { _lead: related }, 'aposMode=draft')
    expect([draft._lead[0].attachment._crop, status]).toEqual([cropped, 200])
    for (const who of ['anonymous', 'guest'] as const) {
      const paths = ['@cms/image', `@cms/image/${image._id}`, 'story', `story/${story._id}`]
      const answers = await Promise.all(paths.map((path) => service[who].get(path)))
      const counted = await service[who].get('@cms/image', 'choices=title&counts=_tags&search=secret')
      const shown = JSON.stringify([...answers, counted].map(({ body }) => body))
      for (const secret of [draft.aposDocId, 'Secret', ':draft', '.10.20.77.150']) expect(shown).not.toContain(secret)
      expect((await service[who].get(`story/${draft.aposDocId}`)).status).toBe(404)
      expect((await service[who].post('@cms/attachment/crop', { _id: image.attachment._id, crop: CROP })).status).toBe(
        who === 'anonymous' ? 401 : 403,
      )
    }
    expect((await service.anonymous.get(`story/${story._id}`)).body._lead[0]._url).toBe(image._url)
  })

  test('§4.3 one image cropped in two ways in one document shows both crops', async () => {
    const image = await imagePiece(service)
    const other = { ...CROP, width: 100 }
    const rows = [CROP, other].map((fields) => ({ _image: [{ _id: image._id, _fields: fields }] }))
    const { status, body } = await service.editor.post('story', { title: 'Story', rows, _lead: [image] })
    expect(status).toBe(200)
    const urls = body.rows.map(({ _image: [one] }: { _image: { _url: string }[] }) => one?._url)
    expect(urls[0]).toContain('.10.20.300.150.')
    expect(urls[1]).toContain('.10.20.100.150.')
    expect(body._lead[0]._url).toBe(image._url)
    expect(await cropsOf(image.attachment._id)).toEqual(expect.arrayContaining([CROP, other]))
  })

  test('§4.3 whatever way a crop is asked for, it is made before the one transaction that saves', async () => {
    const image = await imagePiece(service)
    const related = (width: number) => [{ _id: image._id, _fields: { ...CROP, width: String(width) } }]
    const { body: story } = await service.editor.post('story', { title: 'Ways', _lead: related(100), rows: [{}] })
    const stored = { [`${image.aposDocId}`]: { ...CROP, width: 105 } }
    const ways = [
      { '_lead.0._fields.width': 101 },
      { $push: { rows: { _image: related(102) } } },
      { [`rows.@${story.rows[0]._id}._image`]: related(103) },
      { _patches: [{ _lead: related(104) }] },
      { leadIds: [image.aposDocId], leadFields: stored },
    ]
    for (const body of ways) {
      service.statements.splice(0)
      expect(await service.editor.patch(`story/${story._id}`, body)).toMatchObject({ status: 200 })
      expect(service.statements.filter((sql) => /^insert into documents/.test(sql))).toHaveLength(1)
    }
    const put = { ...story, _lead: related(106) }
    expect(await service.editor.put(`story/${story._id}`, put)).toMatchObject({ status: 200 })
    const widths = (await cropsOf(image.attachment._id))?.map(({ width }) => width)
    expect(widths?.toSorted()).toEqual([100, 101, 102, 103, 104, 105, 106])
  })

  test('§4.3 a crop outside the image is `invalid` at its path, and nothing is saved', async () => {
    const image = await imagePiece(service)
    const related = { _id: image._id, _fields: { ...CROP, left: 390 } }
    const { status, body } = await service.editor.post('story', { title: 'Outside', _lead: [related] })
    expect([status, body.data.errors[0].path]).toEqual([400, `_lead.${image.aposDocId}.width`])
    const half = await service.editor.post('story', {
      title: 'Half',
      _lead: [{ _id: image._id, _fields: { width: 5 } }],
    })
    expect(half.body.data.errors.map(({ path }: { path: string }) => path.split('.').at(-1))).toEqual([
      'top',
      'left',
      'height',
    ])
    expect((await service.editor.get('story', 'title=Outside')).body.total).toBe(0)
    expect(await cropsOf(image.attachment._id)).toEqual([])
    const focus = await service.editor.post('story', {
      title: 'Focus',
      _lead: [{ _id: image._id, _fields: { x: 5, y: 5 } }],
    })
    expect(focus.body._lead[0]._url).toBe(image._url)
  })

  test('§4.3 a focal point outside the image is `invalid` at its path', async () => {
    const { _id, aposDocId } = await imagePiece(service)
    const focused = (x: number, y: number) =>
      service.editor.post('story', { title: 'Focus', _lead: [{ _id, _fields: { x, y } }] })
    const { status, body } = await focused(101, -1)
    expect(status).toBe(400)
    expect(body.data.errors.map(({ path }: { path: string }) => path)).toEqual([
      `_lead.${aposDocId}.x`,
      `_lead.${aposDocId}.y`,
    ])
    expect((await focused(100, 0)).body._lead[0]._fields).toMatchObject({ x: 100, y: 0 })
  })

  test('§4.3 the crop of an image that is removed at the same moment is refused, not `unavailable`', async () => {
    const { aposDocId, attachment } = await imagePiece(service)
    const { files, store } = service.app.context({ kind: 'operator' })
    const fetchIt = files.fetch.bind(files)
    const isRemovedWhileFetched = vi.spyOn(files, 'fetch').mockImplementation(async (name, path) => {
      if (name.includes(attachment._id) && (await store.attachments.byIds([attachment._id])).size > 0) {
        expect((await service.editor.delete(`@cms/image/${aposDocId}`)).status).toBe(200)
        await expect.poll(async () => (await store.attachments.byIds([attachment._id])).size).toBe(0)
      }
      return fetchIt(name, path)
    })
    onTestFinished(() => isRemovedWhileFetched.mockRestore())
    const { status, body } = await service.editor.post('story', {
      title: 'S',
      _lead: [{ _id: aposDocId, _fields: CROP }],
    })
    expect([status, body.name, body.data.errors?.[0]?.path]).toEqual([400, 'invalid', '_lead'])
    expect(service.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('§4.3 an image with a new file is shown whole, and documents requesting its crop can be saved', async () => {
    const image = await imagePiece(service)
    const related = { _id: image._id, _fields: CROP }
    const { body } = await service.editor.post('story', { title: 'Story', _lead: [related] })
    const small = await uploadedImage(service, 50, 50)
    await service.editor.patch(`@cms/image/${image._id}`, { attachment: small })
    const { status, body: after } = await service.editor.patch(`story/${body._id}`, { title: 'Changed' })
    expect(status).toBe(200)
    expect(after._lead[0]._url).toBe(small._url)
    const same = await service.editor.patch(`story/${body._id}`, { _lead: [related] })
    expect(same.status).toBe(200)
  })
})
