import { rowsOf } from '../../cms/test/consistency.ts'

/** A copy of a document: all that is stored of it. */
export interface StoredCopy {
  readonly docId: string
  readonly locale: string
  readonly mode: string
  readonly type: string
  readonly state: string
  readonly body: string
}

/** A version, as it is recorded. */
export interface StoredVersion {
  readonly id: string
  readonly docId: string
  readonly locale: string
  readonly mode: string
  readonly isAi: boolean
}

/** All that a database holds and an agent could touch, read past the service. */
export interface StoredState {
  readonly copies: ReadonlyMap<string, StoredCopy>
  /** Oldest first. */
  readonly versions: readonly StoredVersion[]
  /** Places of pages, keys, tokens, schedules and files, each as text with the number of its kind. */
  readonly others: ReadonlySet<string>
}

const STATEMENTS = [
  `select d.doc_id, d.locale, d.mode, d.type, d.slug, d.visibility, d.archived, c.body
   from documents d left join contents c on c.n = d.content`,
  'select id, doc_id, locale, mode, ai from versions order by id',
  'select * from places',
  'select id, role from api_keys',
  'select * from tokens',
  'select * from schedules',
  'select id from attachments',
]

/** Reads what is stored now. */
export async function readState(databaseUrl: string): Promise<StoredState> {
  const [copies = [], versions = [], ...others] = await rowsOf(databaseUrl, STATEMENTS)
  return {
    copies: new Map(copies.map(copyOf).map((copy) => [`${placeOf(copy)}:${copy.mode}`, copy])),
    versions: versions.map((row) => ({ ...identityOf(row), id: String(row.id), isAi: Number(row.ai) === 1 })),
    others: new Set(others.flatMap((rows, index) => rows.map((row) => `${index} ${JSON.stringify(row)}`))),
  }
}

type Row = Record<string, unknown>

function copyOf(row: Row): StoredCopy {
  const state = JSON.stringify([row.slug, row.visibility, Number(row.archived)])
  return { ...identityOf(row), type: String(row.type), state, body: String(row.body) }
}

function identityOf({ doc_id: docId, locale, mode }: Row) {
  return { docId: String(docId), locale: String(locale), mode: String(mode) }
}

/** The document and its locale. */
export function placeOf({ docId, locale }: Pick<StoredCopy, 'docId' | 'locale'>): string {
  return `${docId}:${locale}`
}
