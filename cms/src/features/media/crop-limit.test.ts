import { expect, test } from 'vitest'
import { picture } from '../../../test/file-bytes.ts'
import { imagePiece, keptFiles, upload, uploadedImage } from '../../../test/media.ts'
import { describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'

const images = { type: 'relationship', withType: '@cms/image' } as const
const site = defineSite({
  limits: { crops: 3, imageMemory: 20_000_000 },
  types: [piece('story', { fields: { add: { _lead: images, _more: images } } })],
})

const cropAt = (top: number) => ({ top, left: 0, width: 50, height: 50 })
const SIZES_OF_A_CROP = 7

describeService('limits on images', { site, isLong: true }, (service) => {
  const crop = (_id: string, top: number) => service.editor.post('@cms/attachment/crop', { _id, crop: cropAt(top) })
  const filesOf = async (id: string) => (await keptFiles(service)).filter((name) => name.includes(id)).length

  test('§4.3 an image gets as many crops as the site allows, also when many are requested at once', async () => {
    const { _id } = await uploadedImage(service)
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((top) => crop(_id, top)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    const refused = answers.filter(({ status }) => status !== 200)
    for (const { status, body } of refused) {
      expect([status, body.data.errors]).toMatchObject([400, [{ path: 'crop', name: 'max' }]])
    }
    const known = (await service.app.store.attachments.byIds([_id])).get(_id)?.attachment.crops ?? []
    expect(known).toHaveLength(3)
    expect(await filesOf(_id)).toBe(SIZES_OF_A_CROP * 4)
    expect((await crop(_id, known[0]?.top ?? 0)).status).toBe(200)
  })

  test('§4.3 relationships that ask for more crops are `invalid` at their place, and leave no files', async () => {
    const image = await imagePiece(service)
    const cropped = (top: number) => ({ _id: image._id, _fields: cropAt(top) })
    const made = await service.editor.post('story', { title: 'a', _lead: [cropped(1)], _more: [cropped(2)] })
    expect(made.status).toBe(200)
    const story = (body: object) => service.editor.patch(`story/${made.body._id}`, body)
    expect((await story({ _lead: [cropped(3)] })).status).toBe(200)
    const refused = await story({ _lead: [cropped(4)] })
    expect([refused.status, refused.body.data.errors]).toMatchObject([
      400,
      [{ path: `_lead.${image.aposDocId}`, name: 'max' }],
    ])
    for (let top = 10; top < 20; top += 1) await story({ _more: [cropped(top)] })
    expect(await filesOf(image.attachment._id)).toBe(SIZES_OF_A_CROP * 4)
    expect((await story({ title: 'b' })).status).toBe(200)
    expect((await story({ _more: [cropped(1)] })).status).toBe(200)
  })

  test('§4.3 an image that takes more memory to decode than the site allows is `invalid`', async () => {
    const { status, body } = await upload(
      service,
      'editor',
      await picture(3000, 3000).webp({ effort: 0 }).toBuffer(),
      'large.webp',
    )
    expect([status, body.data?.errors?.[0]?.message]).toEqual([400, expect.stringContaining('too much memory')])
  })
})
