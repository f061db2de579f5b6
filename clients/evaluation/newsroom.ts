import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type App,
  createApp,
  importFile,
  insert,
  insertPage,
  type SiteApp,
  type Type,
  treeTarget,
  type WriteContext,
  write,
} from '../../cms/src/index.ts'
import type { TestDatabase, TestDatabases } from '../../cms/test/databases.ts'
import { earlierChanges, pictures, startingDocuments } from './newsroom-content.ts'
import { newsroomSite } from './newsroom-site.ts'
import type { EarlierChange, StartingDocument } from './starting-document.ts'

/** A picture as base64. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A service with the starting content, which nobody else uses. */
export interface Newsroom {
  readonly address: string
  /** Of the agent: a contributor, and an AI. */
  readonly agentKey: string
  readonly adminKey: string
  readonly databaseUrl: string
  close(): Promise<void>
}

/** Prepares newsrooms on a kind of database: each is opened on a copy of its own. */
export async function prepareNewsrooms(databases: TestDatabases): Promise<() => Promise<Newsroom>> {
  const copy = await databases.prepare(fill)
  return async () => open(await copy())
}

async function open(database: TestDatabase): Promise<Newsroom> {
  const [agentKey, adminKey] = [newKey(), newKey()]
  const folder = await mkdtemp(join(tmpdir(), 'quire-newsroom-'))
  const app = await createApp(newsroomSite, {
    database: database.url,
    uploads: folder,
    keys: [
      { key: agentKey, role: 'contributor', name: 'Agent', ai: true },
      { key: adminKey, role: 'admin', name: 'Admin' },
    ],
  })
  const close = async () => {
    await app.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
  return { address: await app.listen(0, '127.0.0.1'), agentKey, adminKey, databaseUrl: database.url, close }
}

const newKey = () => randomBytes(16).toString('hex')

async function fill(database: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-newsroom-'))
  const app = await createApp(newsroomSite, { database, uploads: folder })
  const operator = app.context({ kind: 'operator' })
  const files: string[] = []
  for (const { id } of pictures) files.push(await storedPicture(operator, folder, id))
  await write(operator, async (ctx) => {
    for (const document of startingDocuments) await make(app, ctx, document)
    for (const [index, { id, ...words }] of pictures.entries()) {
      await make(app, ctx, { id, type: '@cms/image', values: { ...words, attachment: { _id: files[index] ?? '' } } })
    }
  })
  for (const change of earlierChanges) await makeChange(app, change)
  await app.close()
  await rm(folder, { recursive: true, force: true })
}

async function storedPicture(ctx: Parameters<typeof importFile>[0], folder: string, name: string): Promise<string> {
  const path = join(folder, `${name}.png`)
  await writeFile(path, Buffer.from(PIXEL, 'base64'))
  return (await importFile(ctx, path, `${name}.png`)).id
}

async function make(app: App, ctx: WriteContext, document: StartingDocument): Promise<void> {
  const { id: docId, values, below, isDraft } = document
  const type = typeOf(app, document.type)
  const locale = type.localized ? (document.locale ?? app.site.defaultLocale) : ''
  const mode = isDraft ? 'draft' : 'published'
  if (below === undefined) await insert(ctx, { type, locale, mode }, values, docId)
  else await insertPage(ctx, { docId, type, locale, mode, target: treeTarget(below, 'lastChild') }, values)
}

async function makeChange(app: SiteApp<typeof newsroomSite>, change: EarlierChange): Promise<void> {
  const { id, type, by, locale = 'en', mode = 'published', patch } = change
  await app.as({ role: 'editor', name: by }, { locale, mode }).patch(type, id, patch)
}

function typeOf({ site }: App, name: string): Type {
  const type = site.types.get(name)
  if (type === undefined) throw new Error(`The site has no type ${name}.`)
  return type
}
