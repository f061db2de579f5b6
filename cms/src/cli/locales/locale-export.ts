import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../engine/context.ts'
import { assertLocales, textsToTranslate, xliffOf } from '../../engine/xliff/export-texts.ts'
import type { Type } from '../../model/declared/types.ts'
import type { OnProgress } from '../../store/contract/store.ts'
import { UsageError } from '../command/failure.ts'
import { assertReplaceable, beginsLike, removedAfter } from '../command/replaceable.ts'

/** The texts to give to translators. */
interface Export {
  readonly from: string
  readonly to: string
  /** Only documents of this type. */
  readonly type: string | undefined
}

/** As this command, translators and their programs write it. */
const isXliff = beginsLike(/<xliff\s/)

/**
 * Writes the texts of all drafts of a locale into an XLIFF 2 file, with what is translated already (§4.5); a page after
 * the page above it. The file is there when it is whole. How many documents have texts.
 */
export async function exportTexts(
  ctx: Context,
  file: string,
  { from, to, type }: Export,
  onProgress: OnProgress,
): Promise<number> {
  assertLocales(ctx, { from, to }, '--')
  await assertReplaceable(file, isXliff)
  const types = typesOf(ctx, type)
  let written = 0
  async function* counted() {
    for await (const one of textsToTranslate(ctx, { from, to, types }, onProgress)) {
      written += 1
      yield one
    }
  }
  const unfinished = `${file}.unfinished`
  await removedAfter(unfinished, async () => {
    await pipeline(Readable.from(xliffOf(ctx, { from, to }, counted())), createWriteStream(unfinished))
    await rename(unfinished, file)
  })
  return written
}

function typesOf({ site }: Context, name: string | undefined): Type[] {
  const all = [...site.types.values()].filter((type) => type.localized)
  if (name === undefined) return all
  const found = all.filter((type) => type.name === name)
  if (found.length > 0) return found
  throw new UsageError(`--type must be one of: ${all.map((type) => type.name).join(', ')}.`)
}
