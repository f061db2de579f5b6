import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { conflict, unavailable } from '../../base/errors.ts'
import { Semaphore, WaitedTooLong } from '../../base/semaphore.ts'
import type { Context } from '../../engine/context.ts'
import { withTemporaryFile } from '../../engine/media/attachment-files.ts'
import type { Importer, ImportOptions, TranslatedFile } from '../../engine/xliff/imported.ts'
import { withAiMark } from '../../http/requests/body.ts'
import { flag, textParameter } from '../../http/requests/read-parameters.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import { MOST_DOCUMENTS, TranslationReport } from './translation-report.ts'

/** The most characters of one document with its tags. */
const LONGEST_DOCUMENT = 20_000_000
/** One file is read at a time, which bounds the memory for all callers; how long others wait, in milliseconds. */
const imports = new Semaphore(1)
const PATIENCE_MS = 60_000

/**
 * Receives a translated XLIFF 2 file, and makes drafts of it (§4.5); with `check` only reports what would change. The file
 * is received and read to its end before anything is written. Throws `invalid` for what is no such file, `conflict` where
 * translations have changed since the check whose `confirmation` is sent, `unavailable` while another file is imported.
 */
export async function receiveXliff(ctx: Context, { upload, query }: RouteRequest, importer: Importer): Promise<object> {
  const isCheck = flag(query, 'check')
  const confirmation = textParameter(query, 'confirmation') ?? null
  const marked = withAiMark(ctx, { _ai: flag(query, '_ai') })
  const { stream } = await upload.file()
  return withTemporaryFile(async (path) => {
    await pipeline(stream, createWriteStream(path))
    return oneAtATime(() => importFile(marked, path, { isCheck, confirmation, importer }))
  })
}

async function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await imports.run(work, 1, PATIENCE_MS)
  } catch (error) {
    throw error instanceof WaitedTooLong ? unavailable('Other files are being imported. Try again in a minute.') : error
  }
}

interface Requested extends Pick<ImportOptions, 'isCheck'> {
  readonly confirmation: string | null
  readonly importer: Importer
}

async function importFile(ctx: Context, path: string, { isCheck, confirmation, importer }: Requested): Promise<object> {
  const file = await importer.openTranslation(ctx, path, { most: MOST_DOCUMENTS, longest: LONGEST_DOCUMENT })
  const checked =
    isCheck || confirmation !== null ? replacementsIn(file, await importer.replacedByDocument(ctx, file)) : null
  if (!isCheck && checked !== null && checked.confirmation !== confirmation) throw conflict(CHANGED)
  const report = new TranslationReport(ctx, file)
  const options = { isCheck, mayReplace: checked?.documents ?? new Map() }
  for await (const one of importer.importTexts(ctx, file, options)) {
    report.add(one)
    if (report.isFull) break
  }
  return report.answer(isCheck && checked ? { isCheck, confirmation: checked.confirmation } : { isCheck })
}

const CHANGED =
  'Translations were changed since the check, or it was one of another file. Check the file again, and send the new confirmation.'

/** The translations that a file would replace: by document, and all of them in one text. */
function replacementsIn({ locales }: TranslatedFile, documents: ReadonlyMap<DocId, string>) {
  const whole = createHash('sha256').update(JSON.stringify([locales, [...documents]]))
  return { documents, confirmation: whole.digest('base64url') }
}
