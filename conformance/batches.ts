import type { App } from '../cms/src/app.ts'
import { newId } from '../cms/src/base/ids.ts'
import type { WriteContext } from '../cms/src/engine/context.ts'
import { type InsertTarget, insertMany as insertAll } from '../cms/src/engine/operations/insert.ts'
import { write } from '../cms/src/engine/write.ts'
import { openValues } from '../cms/src/model/terms/document.ts'
import type { Locale } from '../cms/src/model/terms/document-id.ts'

const BATCH = 200
/** How many transactions run at once, where the database can. */
const CONCURRENCY = 4

/** A piece that is stored. */
export interface Inserted {
  /** Without locale and mode. */
  readonly id: string
  readonly slug: string
  readonly title: string
}

type Body = Readonly<Record<string, unknown>>

/**
 * Inserts published pieces by the function that every POST goes through, many to a transaction and a statement. Answers them in order.
 * `onProgress` is called with their number after each transaction.
 */
export async function insertMany(
  app: App,
  typeName: string,
  bodies: Iterable<Body>,
  onProgress: (count: number) => void = () => {},
  locale: Locale = app.site.defaultLocale,
): Promise<Inserted[]> {
  const ctx = app.context({ kind: 'operator' })
  const type = app.site.types.get(typeName)
  if (type === undefined) throw new Error(`The site has no type ${typeName}.`)
  const target = { type, locale, mode: 'published' } as const
  const stored: Inserted[][] = []
  let count = 0
  const waiting = numbered(batches(bodies))
  // All workers take from one iterator: each batch goes to the first that is free.
  const worker = async () => {
    for (const [index, batch] of waiting) {
      const inserted = await write(ctx, (ctx) => insertBatch(ctx, target, batch))
      stored[index] = inserted
      count += inserted.length
      onProgress(count)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return stored.flat()
}

async function insertBatch(ctx: WriteContext, target: InsertTarget, batch: readonly Body[]): Promise<Inserted[]> {
  const documents = batch.map((body) => ({ docId: newId(), body }))
  const inserted = await insertAll(ctx, target, documents)
  return inserted.map((document) => {
    const { slug, title } = openValues(document)
    return { id: document.id.docId, slug: String(slug), title: String(title) }
  })
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

function* numbered<Item>(items: Iterable<Item>): Generator<readonly [number, Item]> {
  let index = 0
  for (const item of items) {
    yield [index, item]
    index += 1
  }
}
