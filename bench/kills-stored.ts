import { rowsOf } from '../cms/test/consistency.ts'

/** A document, as its writer knows it from the answers it got. */
export interface Document {
  readonly title: string
  readonly type: 'article' | 'chapter'
  id: string | null
  /** The counts that draft and published copy have at least. */
  draft: number
  published: number
  /** The highest count that was sent. */
  sent: number
  isArchived: boolean
  isRemoved: boolean
  /** Where a page is: the id of a page, or `_home`; null where that is unknown. */
  parent: string | null
  /** The count that its schedule publishes. */
  scheduled: number | null
  /** The last request has no answer that says what it did: from then on it is only checked. */
  isOpen: boolean
}

/** A copy, as the database has it. */
export interface Stored {
  readonly id: string
  readonly title: string
  readonly count: number
  readonly isArchived: boolean
  readonly parent: string | null
}

/** One that is about to be sent. */
export function newDocument(title: string, type: Document['type'], parent: string | null): Document {
  const none = { draft: -1, published: -1, sent: 0, isArchived: false, isRemoved: false, scheduled: null }
  return { title, type, parent, id: null, isOpen: true, ...none }
}

/** All copies in a database, by id and mode. */
export async function storedIn(databaseUrl: string): Promise<ReadonlyMap<string, Stored>> {
  const [documents = [], positions = []] = await rowsOf(databaseUrl, [
    'select d.doc_id, d.mode, d.title, d.archived, c.body from documents d join contents c on c.n = d.content',
    'select doc_id, parent from places',
  ])
  const home = positions.find(({ parent }) => parent === '')?.doc_id
  const parentOf = (parent: unknown) => (parent === home ? '_home' : String(parent))
  const parents = new Map(positions.map(({ doc_id, parent }) => [String(doc_id), parentOf(parent)]))
  return new Map(
    documents.map(({ doc_id, mode, title, archived, body }) => {
      const key = `${doc_id} ${mode}`
      const count = JSON.parse(String(body)).count ?? 0
      const parent = parents.get(String(doc_id)) ?? null
      return [key, { id: String(doc_id), title: String(title), count, isArchived: Number(archived) === 1, parent }]
    }),
  )
}

/** What is not as its writer was answered. */
export function wrongOf(document: Document, stored: ReadonlyMap<string, Stored>): string[] {
  const { id, title, isRemoved, isOpen, isArchived, parent } = document
  if (id === null) return []
  return (['draft', 'published'] as const).flatMap((mode) => {
    const copy = stored.get(`${id} ${mode}`)
    if (isRemoved) return copy === undefined ? [] : [`${title} was removed, and its ${mode} is there`]
    if (copy === undefined) return [`${title}: its ${mode} is lost`]
    const { count } = copy
    if (count < document[mode] || count > document.sent) {
      return [`${title}: its ${mode} has ${count}, answered were ${document[mode]} of ${document.sent}`]
    }
    if (isOpen && document.type === 'article' && copy.isArchived !== isArchived)
      return [`${title}: archived is ${copy.isArchived}`]
    const isMoved = isOpen && parent !== null && copy.parent !== parent
    return isMoved ? [`${title} is below ${copy.parent}, not ${parent}`] : []
  })
}

/** The documents that copies are of. */
export const idsOf = (documents: readonly Stored[] = []) => new Set(documents.map(({ id }) => id))
