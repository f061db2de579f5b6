import { createApp } from '../cms/src/app.ts'
import { newId } from '../cms/src/base/ids.ts'
import { insertMany } from '../conformance/batches.ts'
import { prose } from '../conformance/prose.ts'
import { childSettings, reply } from './children.ts'
import { articleBody } from './content.ts'
import { site } from './site.ts'

/** A process that fills an empty database with two documents, one with a short history and one with a long one. */
interface LoadSettings {
  readonly database: string
  readonly versions: number
}

/** The documents that were made. */
export interface VersionSamples {
  readonly short: string
  readonly long: string
  /** The newest versions of the long history, which differ from those before them in a few words. */
  readonly edited: readonly string[]
  /** Versions that differ from those before them in all of the text. */
  readonly rewritten: readonly string[]
  /** The bytes that a version takes in the database, on average, without its row. */
  readonly bytes: number
}

const FEW = 10
const PARAGRAPHS = 100
const SAMPLES = 20
const BATCH = 500

const { database, versions } = childSettings<LoadSettings>()
reply(load)

async function load(): Promise<VersionSamples> {
  const app = await createApp(site, { database })
  try {
    const [short, long] = await insertMany(app, 'article', [articleBody(0, []), articleBody(1, [])])
    if (!short || !long) throw new Error('Nothing was made.')
    const add = async (docId: string, count: number) => {
      for (let start = 0; start < count; start += BATCH) {
        await app.store.transaction(async (tx) => {
          for (let index = start; index < Math.min(count, start + BATCH); index += 1) {
            await tx.versions.add(versionOf(docId, index, count), contentOf(index, count))
          }
        })
      }
    }
    await add(short.id, FEW)
    await add(long.id, versions)
    const newest = await app.store.versions.list({ docId: long.id, locale: 'en' }, { limit: 2 * SAMPLES })
    const ids = newest.map(({ id }) => id)
    const bytes = newest.reduce((sum, { content }) => sum + content.bytes, 0) / newest.length
    return { short: short.id, long: long.id, edited: ids.slice(1, SAMPLES), rewritten: ids.slice(SAMPLES + 1), bytes }
  } finally {
    await app.close()
  }
}

/** By two authors in turns of fifty, every third one with AI; all older than what was inserted. */
function versionOf(docId: string, index: number, count: number) {
  const authorId = `author ${Math.floor(index / 50) % 2}`
  const createdAt = new Date(Date.now() - (count - index + 1) * 1000).toISOString()
  const of = { docId, locale: 'en', mode: 'draft', type: 'article', updatedAt: null } as const
  return {
    id: newId(),
    ...of,
    createdAt,
    author: 'Author',
    authorId,
    ai: index % 3 === 0,
    restoredFrom: null,
    label: null,
    data: null,
  }
}

/** About 50 KB. The newest differ by a paragraph each, those before them have nothing in common. */
function contentOf(index: number, count: number) {
  const isEdited = index >= count - SAMPLES
  const seed = isEdited ? 5_000_000 : 5_000_000 + (count - index)
  const text = prose(seed)
  const paragraphs = Array.from({ length: PARAGRAPHS }, () => `<p>${text.paragraph(480)}</p>`)
  if (isEdited) paragraphs[index % PARAGRAPHS] = `<p>${prose(index).paragraph(480)}</p>`
  const widget = { _id: 'widget', metaType: 'widget', type: '@cms/rich-text', content: paragraphs.join('') }
  const body = { _id: 'area', metaType: 'area', items: [widget] }
  return {
    title: 'Versions',
    slug: 'versions',
    subtitle: text.title(),
    section: 'news',
    body,
    topicsIds: [],
    topicsFields: {},
  }
}
