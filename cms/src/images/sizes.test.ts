import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import createSharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { picture, plainPng } from '../../test/file-bytes.ts'
import { readCrop } from '../model/values/crop.ts'
import { inspect } from './inspect.ts'
import { makeCrop, makeSizes } from './sizes.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-sizes-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function saved(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

async function sizesOf(name: string, bytes: Buffer) {
  const path = await saved(name, bytes)
  const sizes = await makeSizes(path, await inspect(path, name))
  return { sizes, largest: sizes[0]?.content ?? Buffer.alloc(0) }
}

/** The colour in the middle of a quarter: 0 top left, 1 top right, 2 bottom left, 3 bottom right. */
async function colourAt(image: Buffer, quarter: number): Promise<number[]> {
  const { data, info } = await createSharp(image).raw().toBuffer({ resolveWithObject: true })
  const x = Math.floor(info.width * (quarter % 2 === 0 ? 0.25 : 0.75))
  const y = Math.floor(info.height * (quarter < 2 ? 0.25 : 0.75))
  const place = (y * info.width + x) * info.channels
  return [...data.subarray(place, place + info.channels)]
}

/** Where the red quarter is seen after each orientation; there is no 0. */
const RED_AT = [0, 0, 1, 3, 2, 0, 1, 3, 2]

const near = (colour: number[]) => colour.map((value) => expect.closeTo(value, -1.2))
const plain = (width: number, height: number, background: string) =>
  createSharp({ create: { width, height, channels: 3, background } })

/** Red at the top left, green at the top right, blue at the bottom left, white at the bottom right. */
const quarters = () =>
  plain(200, 100, 'white').composite([
    { input: { create: { width: 100, height: 50, channels: 3, background: 'red' } }, left: 0, top: 0 },
    { input: { create: { width: 100, height: 50, channels: 3, background: 'lime' } }, left: 100, top: 0 },
    { input: { create: { width: 100, height: 50, channels: 3, background: 'blue' } }, left: 0, top: 50 },
  ])

const animation = async (extension: 'gif' | 'webp') => {
  const frames = ['red', 'lime', 'blue'].map((colour) => plain(400, 300, colour).png().toBuffer())
  return await createSharp(await Promise.all(frames), { join: { animated: true } })
    [extension]({ delay: [100, 200, 300], loop: 2 })
    .toBuffer()
}

describe('§4.3 image sizes', () => {
  test('§4.3 sizes fit inside their bounds and keep the aspect ratio', async () => {
    const { sizes } = await sizesOf('wide.jpg', await plain(2400, 1200, 'red').jpeg().toBuffer())
    expect(sizes.map(({ size, width, height }) => [size, width, height])).toEqual([
      ['max', 1600, 800],
      ['full', 1140, 570],
      ['two-thirds', 760, 380],
      ['one-half', 570, 285],
      ['one-third', 380, 190],
      ['one-sixth', 190, 95],
    ])
  })

  test('§4.3 sizes of tall images fit inside the heights', async () => {
    const { sizes } = await sizesOf('high.jpg', await plain(600, 2400, 'red').jpeg().toBuffer())
    expect(sizes.map(({ height }) => height)).toEqual([1600, 1140, 760, 700, 700, 350])
  })

  test('§4.3 small images are never enlarged', async () => {
    const { sizes } = await sizesOf('small.png', await plain(250, 100, 'red').png().toBuffer())
    expect(sizes.map(({ width }) => width)).toEqual([250, 250, 250, 250, 250, 190])
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('§4.3 sizes are upright for EXIF orientation %i', async (orientation) => {
    const { largest } = await sizesOf('a.jpg', await quarters().withMetadata({ orientation }).jpeg().toBuffer())
    expect(await colourAt(largest, RED_AT[orientation] ?? 0)).toEqual(near([254, 0, 0]))
    expect((await createSharp(largest).metadata()).width).toBe(orientation > 4 ? 100 : 200)
  })

  test('§4.3 sizes of CMYK images are in sRGB', async () => {
    const { largest } = await sizesOf('a.jpg', await plain(99, 99, '#a06050').toColourspace('cmyk').jpeg().toBuffer())
    expect(await colourAt(largest, 0)).toEqual(near([159, 93, 71]))
  })

  test('§4.3 sizes of images with a wide-gamut profile are in sRGB', async () => {
    const wide = await plain(99, 99, '#c04020').withIccProfile('p3').png().toBuffer()
    const { largest } = await sizesOf('a.png', wide)
    expect(await colourAt(largest, 0)).toEqual(near([192, 64, 32]))
  })

  test('§4.3 sizes of 16-bit images have 8 bits', async () => {
    const { largest } = await sizesOf('a.png', plainPng({ width: 9, height: 9, depth: 16, colour: 2 }))
    expect(await createSharp(largest).metadata()).toMatchObject({ depth: 'uchar', space: 'srgb' })
  })

  test('§4.3 all sizes keep partial transparency', async () => {
    const background = { r: 200, g: 100, b: 50, alpha: 0.25 }
    const glass = createSharp({ create: { width: 2000, height: 2000, channels: 4, background } })
    const { sizes } = await sizesOf('glass.png', await glass.png().toBuffer())
    expect(await colourAt(sizes.at(-1)?.content ?? Buffer.alloc(0), 0)).toEqual(near([200, 100, 50, 64]))
  })

  test.each(['gif', 'webp'] as const)('§4.3 sizes of an animated %s are animated', async (extension) => {
    const { sizes } = await sizesOf(`moving.${extension}`, await animation(extension))
    expect(sizes.map(({ width, height }) => [width, height]).at(-1)).toEqual([190, 142])
    for (const { content, height } of sizes) {
      const known = await createSharp(content, { animated: true }).metadata()
      expect(known).toMatchObject({ pages: 3, pageHeight: height, delay: [100, 200, 300], loop: 2 })
    }
  })

  test('§4.3 an SVG has no sizes', async () => {
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    expect((await sizesOf('a.svg', Buffer.from(drawing))).sizes).toEqual([])
  })
})

describe('§4.3 crops', () => {
  test('§4.3 crops are cut from the image as displayed, at full size and in all sizes', async () => {
    const path = await saved('a.jpg', await quarters().withMetadata({ orientation: 6 }).jpeg().toBuffer())
    const known = await inspect(path, 'a.jpg')
    const crop = readCrop({ top: 10, left: 60, width: 30, height: 80 }, { width: 100, height: 200 })
    const { original, sizes } = await makeCrop(path, known, crop)
    expect(await colourAt(original, 0)).toEqual(near([254, 0, 0]))
    expect(await createSharp(original).metadata()).toMatchObject({ format: 'jpeg', width: 30, height: 80 })
    expect(sizes.map(({ width, height }) => [width, height])).toEqual(Array(6).fill([30, 80]))
  })

  test('§4.3 crops of animated images are animated', async () => {
    const path = await saved('a.gif', await animation('gif'))
    const known = await inspect(path, 'a.gif')
    const { original, sizes } = await makeCrop(path, known, { top: 5, left: 5, width: 300, height: 90 })
    expect(await createSharp(original, { animated: true }).metadata()).toMatchObject({
      pages: 3,
      width: 300,
      pageHeight: 90,
    })
    expect(sizes.at(-1)).toMatchObject({ width: 190, height: 57 })
  })

  test('§4.3 only raster images can be cropped', async () => {
    const path = await saved('a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2"/>'))
    const asked = makeCrop(path, await inspect(path, 'a.svg'), { top: 1, left: 2, width: 2, height: 1 })
    await expect(asked).rejects.toMatchObject({ name: 'invalid', data: { errors: [{ path: '_id' }] } })
  })

  const image = { width: 100, height: 50 }
  test.each([
    [{ top: 0, left: 0, width: 101, height: 50 }, ['crop.width']],
    [{ top: 1, left: 0, width: 100, height: 50 }, ['crop.height']],
    [{ top: -1, left: 0, width: 10, height: 10 }, ['crop.top']],
    [{ top: 0, left: 0.5, width: 10, height: 10 }, ['crop.left']],
    [{ top: 0, left: 0, width: 0, height: 10 }, ['crop.width']],
    [{ top: '0', left: 0, width: 10 }, ['crop.top', 'crop.height']],
    [{ top: 0, left: Number.NaN, width: 1e300, height: 10 }, ['crop.left', 'crop.width']],
    [{}, ['crop.top', 'crop.left', 'crop.width', 'crop.height']],
  ])('§4.3 a wrong crop names each wrong number: %j', (crop, paths) => {
    const refusal = expect.objectContaining({
      name: 'invalid',
      data: { errors: paths.map((path) => expect.objectContaining({ path })) },
    })
    expect(() => readCrop(crop, image)).toThrow(refusal)
  })
})

test('§4.3 many images at once are all processed', async () => {
  const path = await saved('a.jpg', await picture(300, 200).jpeg().toBuffer())
  const known = await inspect(path, 'a.jpg')
  const all = await Promise.all(Array.from({ length: 20 }, () => makeSizes(path, known)))
  expect(all.map((sizes) => sizes.length)).toEqual(Array(20).fill(6))
})
