import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { dump, IDS } from '../../../test/apostrophe-dump.ts'
import { dumpSite } from '../../../test/apostrophe-dump-site.ts'
import { FORMS, writeDump } from '../../../test/apostrophe-files.ts'
import { sampledDatabases } from '../../../test/databases.ts'
import { createApp } from '../../app.ts'
import { isObject, type Json } from '../../base/json.ts'
import { archiveId, homeId } from '../../engine/pages/parked.ts'
import { fixedId } from '../../engine/values/fixed-id.ts'
import { openValues } from '../../model/terms/document.ts'
import type { App } from '../../service.ts'
import { quietLog } from '../command/json-log.ts'
import { importContent } from '../content/import-content.ts'
import { ImportReport } from '../content/import-report.ts'
import { apostropheSource } from './apostrophe-source.ts'

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const NEW_IDS: ReadonlyMap<string, string> = new Map([
  [IDS.home, homeId],
  [IDS.archive, archiveId],
  [IDS.global, fixedId('@cms/global')],
  [IDS.styles, fixedId('@cms/styles')],
])

const SECTION = '§10.5 a whole database of ApostropheCMS is imported as it is'

/** The values of a document that people have filled in. */
const CONTENT: Readonly<Record<string, readonly string[]>> = {
  article: [
    ...[
      'title',
      'slug',
      'level',
      'rank',
      'path',
      'summary',
      'mood',
      'marks',
      'count',
      'price',
      'isNew',
      'share',
      'tint',
    ],
    ...['space', 'day', 'hour', 'moment', 'link', 'mail', 'film', 'paper', 'body', 'stops', 'address', 'topicsIds'],
    ...['topicsFields', 'imageIds', 'imageFields'],
  ],
  topic: ['title', 'slug'],
  note: ['title', 'slug', 'text'],
  'default-page': ['title', 'slug', 'intro', 'orphan'],
  '@apostrophecms/home-page': ['title', 'slug', 'main'],
  '@apostrophecms/archive-page': ['title', 'slug'],
  '@apostrophecms/image': ['title', 'slug', 'alt', 'credit', 'creditUrl', 'attachment', 'tagsIds', 'tagsFields'],
  '@apostrophecms/global': ['title', 'slug', 'footer'],
  '@apostrophecms/styles': ['title', 'slug', 'edge', 'shadow'],
}

const MARKS = new Set(['_id', 'metaType', 'scopedArrayName', 'scopedObjectName', 'aposPlaceholder', 'permalinkIds'])
const FACTS = new Set(['_id', 'name', 'extension', 'type'])

/** A value as it is compared: without what is no content, and with the names and ids that things have here. */
function compared(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(compared)
  if (!isObject(value)) return value ?? null
  const isFile = value.type === 'attachment'
  const isRichText = String(value.type).endsWith('/rich-text')
  const entries = Object.entries(value).flatMap(([name, one]): [string, Json][] => {
    if (isFile ? !FACTS.has(name) : MARKS.has(name) || (isRichText && name === 'imageIds')) return []
    if (isFile && name === '_id') return [[name, fixedId(`attachment ${String(one).replace('attachment ', '')}`)]]
    if (name === 'type') return [[name, String(one).replace('@apostrophecms/', '@cms/')]]
    return [[name, compared(one)]]
  })
  return Object.fromEntries(entries)
}

async function imported(app: App, folder: string) {
  const report = new ImportReport(join(folder, 'report.jsonl'))
  const ctx = app.context({ kind: 'operator' })
  const renamed = (name: string) => name.replace(/^@apostrophecms\//, '@cms/')
  const source = await apostropheSource(ctx, { folder, report, renamed, types: null })
  const options = { update: false, dryRun: false, types: null, locales: null, renamed, report }
  const counts = await importContent(ctx, source, { ...options, onDocument: () => {}, onFile: () => {} })
  await report.close()
  return counts
}

function toldOf({ what, id, path }: { readonly [name: string]: string }): string {
  return `${what} ${id} ${path}`
}

/** What of the dump is otherwise here, by document, mode and field. */
const OTHERWISE: ReadonlyMap<string, Json> = new Map<string, Json>([
  [`${IDS.gone}:en:draft slug`, '/gone'],
  [`${IDS.below}:en:draft slug`, '/gone/below'],
  [`${IDS.half}:en:published slug`, '/archive-me'],
  [`${IDS.noteTwo}:en:draft slug`, 'tide'],
  [`${IDS.tide}:en:draft slug`, '/tide-2'],
  ...['draft', 'published'].flatMap((mode) =>
    ['level', 'mood'].map((name): [string, Json] => [`${IDS.odd}:en:${mode} ${name}`, null]),
  ),
])

/** Those of which one copy is archived, and the other one is not. */
const ARCHIVED: ReadonlyMap<unknown, boolean> = new Map([
  [IDS.half, true],
  [IDS.noteTwo, false],
  [IDS.tide, false],
])

test.each(FORMS)(`${SECTION}: $name`, async (form) => {
  const [databases] = sampledDatabases(form.name)
  const database = await databases?.createReady()
  if (database === undefined) throw new Error('There is no database.')
  closing.push(() => database.drop())
  const folder = await mkdtemp(join(tmpdir(), 'quire-apostrophe-dump-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  await writeDump(folder, form)
  const app = await createApp(dumpSite, { database: database.url, uploads: join(folder, 'new'), log: quietLog })
  closing.push(() => app.close())
  const counts = await imported(app, folder)

  const lines = (await readFile(join(folder, 'report.jsonl'), 'utf8')).trim().split('\n')
  expect(lines.map((line) => toldOf(JSON.parse(line))).toSorted()).toEqual(
    [
      ...['level', 'mood'].map((field) => `value does not fit ${IDS.odd}:en ${field}`),
      ...[IDS.half, IDS.noteTwo, IDS.tide].map((id) => `value does not fit ${id}:en archived`),
      ...[IDS.first, IDS.half, IDS.moved, IDS.tide].map((id) => `value not taken ${id}:en path`),
      `slug taken ${IDS.tide}:en slug`,
      `value not taken ${IDS.note} text`,
    ].toSorted(),
  )
  expect(counts.documents.refused + counts.files.refused).toBe(0)

  const [expected, found] = [new Map<string, Json>(), new Map<string, unknown>()]
  for (const document of dump) {
    const { _id, aposDocId, aposLocale, type } = document
    const [locale = '', mode] = String(aposLocale).split(':')
    if ((mode !== 'draft' && mode !== 'published') || (type === 'note' && mode === 'draft')) continue
    const docId = NEW_IDS.get(String(aposDocId)) ?? String(aposDocId)
    const stored = (await app.store.documents.copies(docId, type === 'note' ? '' : locale))[mode]
    for (const field of CONTENT[String(type)] ?? []) {
      if (document[field] === undefined) continue
      const name = `${_id} ${field}`
      expected.set(name, OTHERWISE.has(name) ? (OTHERWISE.get(name) ?? null) : compared(document[field]))
      found.set(name, stored ? openValues(stored)[field] : undefined)
    }
    expected.set(`${_id} archived`, ARCHIVED.get(aposDocId) ?? document.archived ?? null)
    found.set(`${_id} archived`, stored ? openValues(stored).archived : undefined)
    for (const name of ['createdAt', 'updatedAt', 'lastPublishedAt', 'updatedBy'] as const) {
      const value = document[name] ?? null
      expected.set(`${_id} ${name}`, isObject(value) ? (value.$date ?? value) : value)
      found.set(`${_id} ${name}`, stored?.[name])
    }
  }
  expect(Object.fromEntries(found)).toMatchObject(Object.fromEntries(expected))
  expect(expected.size).toBeGreaterThan(300)

  const outline = { locale: 'en', mode: 'draft', archived: 'any', visibility: null, below: homeId } as const
  const pages = await app.store.tree.outline(outline)
  expect(pages.map(({ path }) => path.split('/').slice(1).join('/'))).toEqual([
    '',
    ...[IDS.wave, IDS.first, IDS.about, IDS.moved, IDS.live, IDS.idea, IDS.tide, archiveId],
    `${IDS.about}/${IDS.team}`,
    ...[IDS.gone, IDS.half].map((id) => `${archiveId}/${id}`),
    `${archiveId}/${IDS.gone}/${IDS.below}`,
  ])
})
