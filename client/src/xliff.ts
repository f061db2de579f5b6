import type { SiteModel } from 'quire-cms/types'
import { type CallOptions, send, type Transport } from './request.ts'
import type { Client } from './types/client.ts'

/** The texts that are given to translators (§4.5). */
export interface TextsToTranslate {
  readonly from: string
  readonly to: string
  /** All types with locales that the caller may edit when left out. */
  readonly types?: readonly string[]
  /** Ids of documents, in any form; all when left out. */
  readonly ids?: readonly string[]
  /** Only documents with texts that have no translation, or an outdated one. */
  readonly untranslated?: boolean
}

/** An XLIFF file, and the name that the service proposes for it. */
export interface XliffFile {
  readonly file: Blob
  readonly name: string
}

/** Something to know of a document that is imported. */
export interface Finding {
  /** The text; empty for the document. */
  readonly path: string
  readonly message: string
  /** Advice for whoever imports. */
  readonly advice: string
}

/** A translation that another one replaces: the first 300 characters of both. */
export interface ReplacedText {
  readonly path: string
  /** The label of its field. */
  readonly label: string
  readonly before: string
  readonly after: string
  /** The one that is there is another than was exported. */
  readonly isChanged: boolean
}

/** The outcome for a document of the file. */
export interface ImportedDocument {
  /** The draft in the locale of the translation; left out where the site has no such type. */
  readonly _id?: string
  readonly type: string
  readonly aposDocId: string
  readonly title: string
  readonly isChanged: boolean
  /** It was not in the locale before. */
  readonly isNew: boolean
  readonly texts: number
  readonly replaced: readonly ReplacedText[]
  readonly warnings: readonly Finding[]
  /** Why it was not written at all. */
  readonly problems: readonly Finding[]
}

/** The report of an import, or of a check. */
export interface ImportReport {
  readonly isCheck: boolean
  /** Of a check: lets the import replace what was listed as replaced. */
  readonly confirmation?: string
  readonly from: string
  readonly to: string
  /** Documents of the file. */
  readonly total: number
  /** Drafts that were made or changed. */
  readonly documents: number
  readonly refused: number
  readonly texts: number
  /** Texts without a translation. */
  readonly untranslated: number
  /** Translations that were replaced. */
  readonly replaced: number
  /** Documents that were not looked at, since the report would be too long. */
  readonly left: number
  readonly results: readonly ImportedDocument[]
}

/** How a file is imported. */
export interface ImportOptions extends CallOptions {
  /** Only reports what would change. */
  readonly check?: boolean
  /** Of the report of a check. */
  readonly confirmation?: string
  /** Marks all that is saved as written by AI. */
  readonly ai?: boolean
}

/** Milliseconds for a file, unless the call says otherwise. */
const AN_HOUR = 3_600_000

/** Fetches the texts of drafts as an XLIFF 2 file (§4.5). */
export async function exportXliff<M extends SiteModel>(
  { transport }: Client<M>,
  { ids, ...wanted }: TextsToTranslate,
  options: CallOptions = {},
): Promise<XliffFile> {
  let file = new Blob()
  /** The file is no JSON: it is kept, and what reads answers hears of nothing. */
  const fetch: Transport['fetch'] = async (...request) => {
    const response = await transport.fetch(...request)
    if (!response.ok) return response
    file = await response.blob()
    return new Response('null', response)
  }
  const query = { ...wanted, ...(ids && { _ids: ids }) }
  const answer = await send({ ...transport, fetch }, 'GET', '@cms/xliff', { timeout: AN_HOUR, ...options, query })
  const name = /filename="([^"]*)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1]
  return { file, name: name ?? 'texts.xlf' }
}

/** Imports a translated XLIFF 2 file into drafts, or says what that would change (§4.5). */
export async function importXliff<M extends SiteModel>(
  { transport }: Client<M>,
  file: Blob,
  { check, confirmation, ai, ...options }: ImportOptions = {},
): Promise<ImportReport> {
  const body = new FormData()
  body.append('file', file, 'translation.xlf')
  const query = { check, confirmation, _ai: ai }
  const answer = await send(transport, 'POST', '@cms/xliff', { timeout: AN_HOUR, ...options, query, body })
  // `as`: what the route answers (§4.5).
  return answer.body as ImportReport
}
