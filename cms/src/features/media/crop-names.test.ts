import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startBucket } from '../../../test/bucket.ts'
import { sampledDatabases } from '../../../test/databases.ts'
import { fetchFile, keptFiles, uploadedImage } from '../../../test/media.ts'
import { describeService, type Service, startService } from '../../../test/service.ts'
import type { Context } from '../../engine/context.ts'
import { makeCrop } from '../../engine/media/crops.ts'
import { type Attachment, storeWith } from '../../store/contract/store.ts'
import { rescaleImages } from './rescale.ts'

/** In the upper right corner of the stripes, and in the lower left: each has the other one's name, left first. */
const UPPER = { top: 0, left: 120, width: 50, height: 50 }
const LOWER = { top: 120, left: 0, width: 50, height: 50 }
const ELSEWHERE = 'https://cdn.example.org/site'

async function attachmentOf(service: Service, id: string): Promise<Attachment> {
  const used = (await service.app.store.attachments.byIds([id])).get(id)
  if (used === undefined) throw new Error('There is no such attachment.')
  return used.attachment
}

/** Its first look at attachments comes before the other process has recorded anything. */
function lookingTooEarly(ctx: Context): Context {
  let looks = 0
  const attachments = new Proxy(ctx.store.attachments, {
    get(reader, name) {
      if (name === 'byIds') return async (ids: string[]) => (looks++ === 0 ? new Map() : reader.byIds(ids))
      const member: unknown = Reflect.get(reader, name)
      return typeof member === 'function' ? member.bind(reader) : member
    },
  })
  return { ...ctx, store: storeWith(ctx.store, { attachments }) }
}

/** Returns what a crop's file shows, `white` above or `blue` below; null when it is not there. */
async function shown(service: Service, id: string, part: string): Promise<string | null> {
  const response = await fetchFile(service, `/uploads/attachments/${id}-my-photo.${part}.jpg`)
  if (response.status !== 200) return null
  const pixels = await sharp(await response.arrayBuffer())
    .raw()
    .toBuffer()
  return (pixels[0] ?? 0) > 200 ? 'white' : 'blue'
}

describeService('§4.3 crops that browsers fetch from elsewhere', { uploadsUrl: ELSEWHERE, isLong: true }, (service) => {
  const crop = (id: string, given: object) => service.editor.post('@cms/attachment/crop', { _id: id, crop: given })
  const filesOf = async (id: string) => (await keptFiles(service)).filter((name) => name.includes(id))
  const bothNames = async (id: string) => [
    await shown(service, id, '0.120.50.50'),
    await shown(service, id, '0.120.50.50.one-sixth'),
    await shown(service, id, '120.0.50.50'),
    await shown(service, id, '120.0.50.50.one-sixth'),
  ]

  test('§4.3 crops served elsewhere lie under both names, which browsers must revalidate', async () => {
    const { _id } = await uploadedImage(service)
    expect((await crop(_id, UPPER)).body).toBe(true)
    expect(await filesOf(_id)).toHaveLength(21)
    expect(await bothNames(_id)).toEqual(['white', 'white', 'white', 'white'])
    const { headers } = await fetchFile(service, `/uploads/attachments/${_id}-my-photo.120.0.50.50.jpg`)
    expect(headers.get('cache-control')).toBe('public, no-cache')
    const original = await fetchFile(service, `/uploads/attachments/${_id}-my-photo.jpg`)
    expect(original.headers.get('cache-control')).toContain('immutable')
  })

  test('§4.3 of two crops that claim one name the specification’s wins, whichever came first', async () => {
    for (const [first, second] of [
      [UPPER, LOWER],
      [LOWER, UPPER],
    ] as const) {
      const { _id } = await uploadedImage(service)
      await crop(_id, first)
      await crop(_id, second)
      expect(await bothNames(_id)).toEqual(['white', 'white', 'blue', 'blue'])
      expect(await filesOf(_id)).toHaveLength(21)
    }
  })

  test('§4.3 of two crops that claim one name the specification’s wins when both are made at once', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      const { _id } = await uploadedImage(service)
      await Promise.all([crop(_id, UPPER), crop(_id, LOWER)])
      expect(await bothNames(_id)).toEqual(['white', 'white', 'blue', 'blue'])
    }
  })

  test('§4.3 rescaling makes both names again, and deleting removes both', async () => {
    const attachment = await uploadedImage(service)
    const { body: image } = await service.editor.post('@cms/image', { title: 'Image', attachment })
    await crop(attachment._id, UPPER)
    const ctx = service.app.context({ kind: 'operator' })
    await ctx.files.remove((await filesOf(attachment._id)).filter((name) => name.includes('.120.')))
    expect(await filesOf(attachment._id)).toHaveLength(7)
    await rescaleImages(ctx)
    expect(await bothNames(attachment._id)).toEqual(['white', 'white', 'white', 'white'])
    await service.editor.delete(`@cms/image/${image._id}`)
    await expect.poll(() => filesOf(attachment._id)).toEqual([])
  })

  test('§4.3 a crop that fails gives its name back to the crop that had it', async () => {
    const { _id } = await uploadedImage(service)
    const stale = await attachmentOf(service, _id)
    await crop(_id, UPPER)
    const ctx = service.app.context({ kind: 'operator' })
    const undone: typeof ctx = {
      ...ctx,
      store: storeWith(ctx.store, {
        transaction: (work) =>
          ctx.store.transaction(async (tx) => {
            await work(tx)
            throw new Error('Undone.')
          }),
      }),
    }
    await expect(makeCrop(undone, { attachment: stale, crop: LOWER })).rejects.toThrow('Undone.')
    expect(await bothNames(_id)).toEqual(['white', 'white', 'white', 'white'])
  })
})

describe.each(sampledDatabases('public bucket'))('§4.3 crops in a public bucket on $name', (databases) => {
  afterEach(() => void vi.unstubAllEnvs())

  test('§4.3 in a public bucket the alternate name exists too and is revalidated', async () => {
    const bucket = await startBucket('media')
    const url = `${bucket.url}/media/site`
    const options = { uploads: 's3://media/site', uploadsEndpoint: bucket.url, uploadsUrl: url }
    const service = await startService(databases, options)
    try {
      const { _id } = await uploadedImage(service)
      await service.editor.post('@cms/attachment/crop', { _id, crop: UPPER })
      const keeping = async (part: string) => {
        const { status, headers } = await bucket.head(`site/attachments/${_id}-my-photo.${part}.jpg`)
        return [status, headers.get('cache-control')]
      }
      expect(await keeping('0.120.50.50.one-half')).toEqual([200, 'public, max-age=31536000, immutable'])
      expect(await keeping('120.0.50.50.one-half')).toEqual([200, 'public, no-cache'])
      await service.editor.post('@cms/attachment/crop', { _id, crop: LOWER })
      expect(await keeping('120.0.50.50.one-half')).toEqual([200, 'public, max-age=31536000, immutable'])
    } finally {
      await service.stop()
      await bucket.stop()
    }
  })
})

describeService('§4.3 one crop made by two processes', { isLong: true }, (service) => {
  /** A folder where a file is to be: it cannot be kept. */
  const pathOf = (id: string) => join(service.uploads, `attachments/${id}-my-photo.0.120.50.50.max.jpg`)
  const cropsKept = async (id: string) =>
    (await keptFiles(service)).filter((name) => name.includes(`${id}-my-photo.0.`))

  test('§4.3 a crop that fails leaves nothing', async () => {
    const { _id } = await uploadedImage(service)
    await mkdir(pathOf(_id))
    const { status } = await service.editor.post('@cms/attachment/crop', { _id, crop: UPPER })
    expect(status).toBe(503)
    expect(await cropsKept(_id)).toEqual([])
    expect((await attachmentOf(service, _id)).crops).toEqual([])
  })

  test('§4.3 a crop that fails leaves the files of a concurrent one that succeeded', async () => {
    const { _id } = await uploadedImage(service)
    const stale = await attachmentOf(service, _id)
    await service.editor.post('@cms/attachment/crop', { _id, crop: UPPER })
    expect(await cropsKept(_id)).toHaveLength(7)
    await rm(pathOf(_id))
    await mkdir(pathOf(_id))
    const ctx = lookingTooEarly(service.app.context({ kind: 'operator' }))
    await expect(makeCrop(ctx, { attachment: stale, crop: UPPER })).rejects.toMatchObject({ name: 'unavailable' })
    expect(await cropsKept(_id)).toHaveLength(6)
  })

  test('§4.3 a recorded crop has its files though another process removed them meanwhile', async () => {
    const { _id } = await uploadedImage(service)
    const stale = await attachmentOf(service, _id)
    const ctx = service.app.context({ kind: 'operator' })
    const files = async () => await cropsKept(_id)
    const hindered: typeof ctx = {
      ...ctx,
      store: storeWith(ctx.store, {
        transaction: async (work) => {
          await ctx.files.remove((await files()).slice(0, 3))
          return ctx.store.transaction(work)
        },
      }),
    }
    await makeCrop(hindered, { attachment: stale, crop: UPPER })
    expect(await files()).toHaveLength(7)
  })
})
