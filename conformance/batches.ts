import type { App } from '../cms/src/app.ts'
import { insert } from '../cms/src/engine/insert.ts'
import { write } from '../cms/src/engine/write.ts'

const BATCH = 200

/** A piece that is stored. */
export interface Inserted {
  /** Without locale and mode. */
  readonly id: string
  readonly slug: string
  readonly title: string
}

type Body = Readonly<Record<string, unknown>>

/**
 * Inserts published pieces by the function that every POST goes through, many to a transaction. Answers them in order.
 * `said` hears how many there are after each transaction.
 */
export async function insertMany(
  app: App,
  typeName: string,
  bodies: Iterable<Body>,
  said: (count: number) => void = () => {},
): Promise<Inserted[]> {
  const ctx = app.context({ kind: 'operator' })
  const type = app.site.types.get(typeName)
  if (type === undefined) throw new Error(`The site has no type ${typeName}.`)
  const birth = { type, locale: app.site.defaultLocale, mode: 'published' } as const
  const all: Inserted[] = []
  for (const batch of batches(bodies)) {
    const stored = await write(ctx, async (ctx) => {
      const documents: Inserted[] = []
      for (const body of batch) {
        const { id, fields } = await insert(ctx, birth, body)
        documents.push({ id: id.docId, slug: String(fields.slug), title: String(fields.title) })
      }
      return documents
    })
    all.push(...stored)
    said(all.length)
  }
  return all
}

function* batches<Item>(items: Iterable<Item>): Iterable<Item[]> {
  let batch: Item[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length === BATCH) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
