import type { Context } from '../../engine/context.ts'
import { importTexts as importFile, openTranslation } from '../../engine/xliff/import-texts.ts'
import type { Finding } from '../../engine/xliff/imported.ts'
import type { OnProgress } from '../../store/contract/store.ts'
import { assertFile } from '../command/failure.ts'

/** The outcome for the documents of a file. */
interface Imported {
  /** Drafts that were made or changed. */
  readonly documents: number
  /** Texts without a translation: left as they are. */
  readonly untranslated: number
  /** Documents that were not written at all, each with everything that is wrong with it. */
  readonly refused: readonly DocumentProblems[]
  /** Documents that were written, with what somebody should look at. */
  readonly warned: readonly DocumentProblems[]
}

/** The problems of a document. */
interface DocumentProblems {
  readonly document: string
  readonly problems: readonly string[]
}

/**
 * Reads a translated XLIFF 2 file into drafts (§4.5). The file is read to its end before anything is written. A
 * document is written whole or not at all; one that is not in the locale yet is copied there first.
 */
export async function importTexts(ctx: Context, path: string, onProgress: OnProgress): Promise<Imported> {
  await assertFile(path, 'It is read twice, and must be a file.')
  const file = await openTranslation(ctx, path)
  let [done, written, untranslated] = [0, 0, 0]
  const refused: DocumentProblems[] = []
  const warned: DocumentProblems[] = []
  for await (const one of importFile(ctx, file, { isCheck: false, mayReplace: 'all' })) {
    const document = `${one.type}/${one.docId}`
    if (one.problems.length > 0) refused.push({ document, problems: one.problems.map(lineOf) })
    if (one.warnings.length > 0) warned.push({ document, problems: one.warnings.map(lineOf) })
    if (one.isChanged) written += 1
    untranslated += one.untranslated
    done += 1
    onProgress(done, file.total)
  }
  return { documents: written, untranslated, refused, warned }
}

function lineOf({ path, message }: Finding): string {
  return path === '' ? message : `${path}: ${message}`
}
