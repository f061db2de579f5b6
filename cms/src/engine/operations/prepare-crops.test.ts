import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { imagePiece, keptFiles } from '../../../test/media.ts'
import { describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'

const site = defineSite({
  types: [piece('story', { fields: { add: { _lead: { type: 'relationship', withType: '@cms/image' } } } })],
})
const SIZES = 7

describeService('§4.3 crops that a body asks for', { site, isLong: true }, (service) => {
  const lead = async () => {
    const image = await imagePiece(service)
    const { body, headers } = await service.editor.post('story', { title: 'Story', _lead: [image] })
    return { image, id: `story/${body._id}`, tag: headers.get('etag') ?? '' }
  }
  const filesOf = async (id: string) => (await keptFiles(service)).filter((name) => name.includes(id)).length

  it('are made of numbers as texts, too, and not of what is no number', async () => {
    const { image, id } = await lead()
    const patch = (_fields: object) => service.editor.patch(id, { _lead: [{ _id: image._id, _fields }] })
    const before = await filesOf(image.attachment._id)
    const asTexts = { top: '1', left: '2', width: '50', height: '40' }
    expect(await patch(asTexts)).toMatchObject({
      status: 200,
      body: { _lead: [{ _fields: { top: 1, left: 2, width: 50, height: 40 } }] },
    })
    expect(await filesOf(image.attachment._id)).toBe(before + SIZES)
    for (const top of ['high', ' ', '', null]) {
      expect([top, (await patch({ ...asTexts, left: '3', top })).status]).toEqual([top, 400])
    }
    expect(await filesOf(image.attachment._id)).toBe(before + SIZES)
  })

  it('§0.8 are no reason to look at a patch before the revision that it is for', async () => {
    const { id, tag } = await lead()
    await service.editor.patch(id, { title: 'Changed' })
    const wrong = { '_lead.nosuch._fields.top': 5, $push: 'nothing' }
    expect((await service.editor.patch(id, wrong, '', { 'if-match': tag })).status).toBe(409)
    expect((await service.editor.patch(id, wrong)).status).toBe(400)
  })

  it('§0.2 that cannot be stored let the save fail as `unavailable`', async () => {
    const { image, id } = await lead()
    const kept = (await keptFiles(service)).find((name) => name.includes(`${image.attachment._id}-`)) ?? ''
    const [name] = kept.split('.')
    // A folder where a file is to be: it cannot be kept.
    await mkdir(join(service.uploads, `${name}.0.0.50.50.max.jpg`))
    const _fields = { top: 0, left: 0, width: 50, height: 50 }
    const answer = await service.editor.patch(id, { title: 'Lost', _lead: [{ _id: image._id, _fields }] })
    expect(answer).toMatchObject({ status: 503, body: { name: 'unavailable' } })
    expect((await service.editor.get(id)).body.title).toBe('Story')
  })
})
