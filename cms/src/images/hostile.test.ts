import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import createSharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOSTILE_FILES, type HostileFile } from '../../test/hostile-files.ts'
import { sample } from '../../test/sample.ts'
import { SIZE_NAMES } from '../model/terms/image-sizes.ts'
import { type Inspected, inspect } from './inspect.ts'
import { type MadeImage, makeSizes } from './sizes.ts'

/** Anything that runs, loads or embeds: no SVG that is kept may contain it. */
const DANGEROUS =
  /<(?:\w+:)?(?:script|foreignObject|iframe|handler|listener)|\son\w+=|javascript:|evil\.example|@import|<!|data:(?!image\/(?:png|jpeg|gif|webp);)|xml:base|expression|<\?/i

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-images-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function upload(file: HostileFile): Promise<{ kept: Inspected; sizes: readonly MadeImage[]; bytes: Buffer }> {
  const path = join(folder, 'upload')
  await writeFile(path, await file.bytes())
  const kept = await inspect(path, file.name)
  return { kept, sizes: await makeSizes(path, kept), bytes: await readFile(path) }
}

async function expectWebImage({ content, width, height }: MadeImage, { extension }: Inspected): Promise<void> {
  const made = await createSharp(content).metadata()
  expect(made).toMatchObject({ width, height, depth: 'uchar' })
  expect(['srgb', 'b-w']).toContain(made.space)
  expect(made.format).toBe({ jpg: 'jpeg', avif: 'heif' }[extension] ?? extension)
  expect([made.exif, made.icc, made.xmp, made.iptc, made.orientation]).toEqual(Array(5).fill(undefined))
  expect(content.includes('<script')).toBe(false)
}

describe('§4.3 hostile files are refused or kept without harm', () => {
  const refused = HOSTILE_FILES.filter((file) => file.expect === 'invalid')
  const kept = HOSTILE_FILES.filter((file) => file.expect === 'safe')

  test.each(sample(refused, 20))('§4.3 a hostile file is refused: $title', async (file) => {
    const refusal = await upload(file).then(
      () => null,
      (error: unknown) => error,
    )
    expect(refusal).toMatchObject({ name: 'invalid', data: { errors: [{ path: 'file', name: 'invalid' }] } })
    expect(JSON.stringify(refusal)).toMatch(file.says ?? /./)
  })

  test.each(sample(kept, 20))('§4.3 a hostile file is made harmless: $title', async (file) => {
    const { kept: known, sizes, bytes } = await upload(file)
    expect({ ...known, ...known.image }).toMatchObject(file.is ?? {})
    expect(known.name).toMatch(/^[\p{L}\p{N}\p{M}-]{1,105}$/u)
    expect(known.length).toBe(bytes.length)
    if (known.extension === 'svg') expect(bytes.toString()).not.toMatch(DANGEROUS)
    if (file.holds !== undefined) expect(bytes.toString()).toMatch(file.holds)
    const isRaster = known.image !== null && known.extension !== 'svg'
    expect(sizes.map(({ size }) => size)).toEqual(isRaster ? SIZE_NAMES : [])
    for (const size of sizes) await expectWebImage(size, known)
  })
})
