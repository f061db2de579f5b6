import type { JsonObject } from 'quire-client'
import { exportXliff, type ImportReport, importXliff, type TextsToTranslate } from 'quire-client/xliff'
import type { Editor } from './editor.ts'
import type { RequestOptions } from './request-options.ts'

export type { Finding, ImportedDocument, ImportReport, ReplacedText } from 'quire-client/xliff'

/** Fetches a file for translators, and lets the browser save it; its name. Rejects with a `QuireError`. */
export async function downloadTexts(
  { client }: Editor,
  wanted: TextsToTranslate,
  signal: AbortSignal,
): Promise<string> {
  const { file, name } = await exportXliff(client, wanted, { signal })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
  return name
}

/** Says what a file would change. Rejects with a `QuireError`. */
export function checkTranslation({ client }: Editor, file: File, signal: AbortSignal): Promise<ImportReport> {
  return importXliff(client, file, { check: true, signal })
}

/** Imports a file as it was checked. Rejects with a `QuireError`. */
export function importTranslation(
  { client }: Editor,
  file: File,
  { confirmation = '' }: ImportReport,
): Promise<ImportReport> {
  return importXliff(client, file, { confirmation })
}

/** The ids of all documents that a list finds; the list is one of at most `most`. */
export async function idsOf(
  { request }: Editor,
  name: string,
  { query, ...options }: RequestOptions,
  most: number,
): Promise<readonly string[]> {
  const all = { ...options, query: { ...query, page: 1, perPage: most, 'project[_id]': 1 } }
  const { results } = await request<{ readonly results: readonly JsonObject[] }>('GET', name, all)
  return results.map(({ _id }) => String(_id))
}
