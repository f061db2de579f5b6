import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { quire } from '../../../test/command.ts'
import { sampledDatabases } from '../../../test/databases.ts'
import { createApp } from '../../app.ts'
import { archiveId, homeId } from '../../engine/pages/parked.ts'
import { fixedId } from '../../engine/values/fixed-id.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'
import { openValues } from '../../model/terms/document.ts'
import type { App } from '../../service.ts'
import { quietLog } from '../command/json-log.ts'
import { importContent } from '../content/import-content.ts'
import { ImportReport } from '../content/import-report.ts'
import { apostropheSource } from './apostrophe-source.ts'
import { objectsIn, plainObject } from './json-objects.ts'

const FIXTURE = join(import.meta.dirname, '../../../test/apostrophe')
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const widgets = {
  '@cms/rich-text': {},
  '@cms/image': {},
  '@cms/video': {},
  '@cms/html': {},
  '@cms/file': {},
}
const main = { type: 'area', widgets } as const

const site = defineSite({
  name: 'Harbour House',
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [
    piece('article', {
      label: 'Article',
      fields: {
        add: {
          price: { type: 'float' },
          launched: { type: 'dateAndTime' },
          body: main,
          links: { type: 'array', fields: { add: { label: { type: 'string' }, url: { type: 'url' } } } },
          address: { type: 'object', fields: { add: { city: { type: 'string' } } } },
          _topics: { type: 'relationship', withType: 'topic', fields: { add: { weight: { type: 'integer' } } } },
          _related: { type: 'relationship', withType: 'article' },
        },
      },
    }),
    piece('topic', { label: 'Topic', autopublish: true }),
    page('@cms/home-page', { label: 'Home', fields: { add: { main } } }),
    page('default-page', { label: 'Page', fields: { add: { main } } }),
  ],
  global: { fields: { add: { footer: { type: 'string' } } } },
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-apostrophe-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const ATTACHMENT = fixedId('attachment cl0attimageaaaaaaaaaaaaaa')
const IMAGE = 'cl0imageaaaaaaaaaaaaaaaaa'
const renamed = (name: string) => name.replace(/^@apostrophecms\//, '@cms/')

async function imported(app: App, folder: string, types: ReadonlySet<string> | null = null) {
  const report = new ImportReport(join(await newFolder(), 'report.jsonl'))
  const ctx = app.context({ kind: 'operator' })
  const options = { update: false, dryRun: false, types, locales: null, renamed, report }
  const progress = { onDocument: () => {}, onFile: () => {} }
  const source = await apostropheSource(ctx, { folder, report, renamed, types })
  const counts = await importContent(ctx, source, { ...options, ...progress })
  await report.close()
  return {
    ...counts,
    issues: report.counts().map(({ what, type, field, count }) => `${count} ${what}: ${type} ${field}`.trim()),
  }
}

test.each(sampledDatabases('apostrophe'))(
  '§10.5 an ApostropheCMS database is imported to $name, once',
  async (databases) => {
    const database = await databases.createReady()
    closing.push(() => database.drop())
    const options = { database: database.url, uploads: join(await newFolder(), 'uploads'), log: quietLog }
    const app = await createApp(site, options)
    closing.push(() => app.close())
    const first = await imported(app, FIXTURE)
    expect(first.issues.toSorted()).toEqual(
      [
        '1 crop outside of the image: attachment',
        '1 file refused: attachment',
        '1 not of this site: article',
        '1 user left out: @apostrophecms/user',
        '1 value does not fit: article price',
        '1 value does not fit: @cms/home-page main.wi0old',
        '1 value not taken: article legacyColour',
        '2 value not taken: article topicsIds',
        '1 not of this site: @apostrophecms-pro/palette',
      ].toSorted(),
    )
    const { documents, tree, attachments } = app.store
    const copies = async (docId: string, locale = 'en') => {
      const { draft, published } = await documents.copies(docId, locale)
      return {
        draft: draft && openValues(draft),
        published: published && openValues(published),
        ...(published && { document: published }),
      }
    }
    const article = await copies('cl0articleoneaaaaaaaaaaaa')
    expect(article.published).toMatchObject({
      title: 'First boat',
      slug: 'first-boat',
      price: 12.5,
      launched: '2023-05-06T00:00:00.000Z',
      topicsIds: ['cl0topicseaaaaaaaaaaaaaaa'],
      topicsFields: { cl0topicseaaaaaaaaaaaaaaa: { weight: 3 } },
      relatedIds: ['cl0articletwoaaaaaaaaaaaa'],
      links: [{ _id: 'it0one', label: 'Port', url: 'https://port.example.org' }],
      address: { city: 'Hull' },
      body: { items: [{ type: '@cms/rich-text', content: '<p>Built of oak.</p>' }] },
    })
    expect(article.draft).toMatchObject({ title: 'First boat, repaired', price: 13, links: [] })
    expect(article.document).toMatchObject({
      createdAt: '2024-03-02T09:00:00.000Z',
      updatedAt: '2024-04-02T10:30:00.000Z',
      lastPublishedAt: '2024-04-02T10:31:00.000Z',
      updatedBy: { username: 'ann', title: 'Ann Archer' },
    })
    const second = await copies('cl0articletwoaaaaaaaaaaaa')
    expect(second.published).toMatchObject({ archived: true, slug: 'second-boat', topicsIds: [], price: null })
    const home = await copies(homeId)
    expect(home.published).toMatchObject({ title: 'Harbour House', slug: '/' })
    const main = home.published?.main
    const { items } = main as unknown as { readonly items: readonly Record<string, unknown>[] }
    const [text, image, video, html, file] = items
    expect(text?.content).toContain(`#apostrophe-permalink-${homeId}`)
    expect(text?.content).toContain('#apostrophe-permalink-cl0aboutaaaaaaaaaaaaaaaaa?updateTitle=1')
    expect(image).toMatchObject({ type: '@cms/image', imageIds: [IMAGE], caption: 'The old harbour' })
    expect(image?.imageFields).toMatchObject({ [IMAGE]: { top: 10, left: 20, width: 300, height: 150, x: 40, y: 60 } })
    expect([video?.type, html?.code, file?.fileIds]).toEqual([
      '@cms/video',
      '<b>Open</b>',
      ['cl0fileaaaaaaaaaaaaaaaaaa'],
    ])
    expect((await copies(homeId, 'fr')).published?.title).toBe('Maison du port')
    expect((await copies(fixedId('@cms/global'))).published?.footer).toBe('Quay 1, Hull')
    const pages = await tree.outline({ locale: 'en', mode: 'draft', archived: 'any', visibility: null, below: homeId })
    expect(pages.map(({ path, isOrphan, visibility }) => [path.split('/').slice(1), isOrphan, visibility])).toEqual([
      [[], false, 'public'],
      [['cl0newsaaaaaaaaaaaaaaaaaa'], true, 'loginRequired'],
      [['cl0aboutaaaaaaaaaaaaaaaaa'], false, 'public'],
      [[archiveId], expect.any(Boolean), 'public'],
      [['cl0aboutaaaaaaaaaaaaaaaaa', 'cl0teamaaaaaaaaaaaaaaaaaa'], false, 'public'],
      [[archiveId, 'cl0oldaaaaaaaaaaaaaaaaaaa'], false, 'public'],
    ])
    const about = 'cl0aboutaaaaaaaaaaaaaaaaa'
    expect((await tree.formerUrls('en', [about])).get(about)).toEqual(['/about'])
    expect((await tree.formerUrls('fr', [about])).get(about)).toEqual(['/a-propos'])
    expect((await copies('cl0oldaaaaaaaaaaaaaaaaaaa')).draft).toMatchObject({ archived: true, slug: '/closed' })
    const stored = (await attachments.byIds([ATTACHMENT])).get(ATTACHMENT)
    expect(stored?.attachment).toMatchObject({ name: 'old-harbour', width: 400, crops: [{ top: 10, left: 20 }] })
    expect(stored?.uses).toHaveLength(2)
    expect((await copies('cl0annaaaaaaaaaaaaaaaaaaa', '')).published).toBeNull()
    const users = await imported(app, FIXTURE, new Set(['@cms/user']))
    expect(users.issues).toContain('1 user without password: @apostrophecms/user')
    const user = await copies('cl0annaaaaaaaaaaaaaaaaaaa', '')
    expect(user.published).toMatchObject({ username: 'ann', email: 'ann@example.org', role: 'editor', password: null })
    const again = await imported(app, FIXTURE)
    expect(again.documents).toMatchObject({ added: 0, changed: 0, refused: first.documents.refused })
    expect(again.files).toMatchObject({ added: 0, unchanged: 2 })
  },
)

test('§10.5 lists, lines and indented files of mongoexport hold the same objects', async () => {
  const folder = await newFolder()
  const lines = (await readFile(join(FIXTURE, 'aposDocs.jsonl'), 'utf8')).trim().split('\n')
  const objects = lines.map((line) => JSON.parse(line))
  const read = async (text: string) => {
    await writeFile(join(folder, 'docs'), text)
    const found: unknown[] = []
    for await (const { bytes } of objectsIn(join(folder, 'docs'))) found.push(JSON.parse(bytes.toString('utf8')))
    return found
  }
  for (const text of [
    `${lines.join('\n')}\n`,
    `\ufeff${lines.join('\r\n')}`,
    `[${lines.join(',')}]`,
    JSON.stringify(objects, null, 2),
  ]) {
    expect(await read(text)).toEqual(objects)
  }
  const tricky = ['{"a":"} { \\" \\\\","b":{"c":[{}]}}', '{}']
  expect(await read(tricky.join('\n'))).toEqual(tricky.map((line) => JSON.parse(line)))
  await expect(read(`${lines[0]}\n{"cut": `)).rejects.toThrow('not as mongoexport writes it')
  await expect(read('BSON')).rejects.toThrow('not as mongoexport writes it')
})

test('§10.5 a document that is nested more deeply than any is refused by where it stands', async () => {
  const folder = await newFolder()
  const deep = `{"type":"a","body":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}`
  await writeFile(join(folder, 'aposDocs.json'), `{}\n${deep}`)
  const report = new ImportReport(join(folder, 'report.jsonl'))
  const app = await createApp(site, { database: `sqlite:${folder}/quire.db`, uploads: folder, log: quietLog })
  closing.push(() => app.close())
  const opened = apostropheSource(app.context({ kind: 'operator' }), { folder, report, renamed, types: null })
  await expect(opened).rejects.toThrow('aposDocs.json: the object at byte 3 is nested more than')
})

test('§10.5 both forms of extended JSON are read', () => {
  expect(
    plainObject({
      id: { $oid: '65f0aa' },
      relaxed: { $date: '2024-01-02T03:04:05Z' },
      canonical: { $date: { $numberLong: '1704164645000' } },
      numbers: [{ $numberInt: '3' }, { $numberLong: '4' }, { $numberDouble: '1.5' }, { $numberDouble: 'NaN' }],
      gone: { $undefined: true },
      two: { $a: 1, $b: 2 },
    }),
  ).toEqual({
    id: '65f0aa',
    relaxed: '2024-01-02T03:04:05.000Z',
    canonical: '2024-01-02T03:04:05.000Z',
    numbers: [3, 4, 1.5, null],
    two: { $a: 1, $b: 2 },
  })
})

test('§10.5 what is not a file of the uploads, and ids that nothing can have, are refused', async () => {
  const folder = await newFolder()
  const uploads = join(folder, 'uploads/attachments')
  await mkdir(join(uploads, 'pipe-pipe.txt'), { recursive: true })
  await writeFile(join(folder, 'secret'), 'secret')
  await symlink(join(folder, 'secret'), join(uploads, 'link-link.txt'))
  await writeFile(join(uploads, 'odd-a:b.txt'), 'text')
  const attachments = ['link', 'pipe', 'a:b'].map((name) => ({
    _id: name === 'a:b' ? 'odd' : name,
    name,
    extension: 'txt',
  }))
  await writeFile(join(folder, 'aposAttachments.json'), JSON.stringify(attachments))
  const document = { type: 'topic', aposLocale: 'en:published', title: 'Title' }
  const documents = ['../../up', 'a:b', '__proto__', 'well'].map((id) => ({ ...document, aposDocId: id, slug: id }))
  await writeFile(join(folder, 'aposDocs.json'), JSON.stringify(documents))
  const [databases] = sampledDatabases('refused')
  const database = await databases?.createReady()
  if (database === undefined) throw new Error('There is no database.')
  closing.push(() => database.drop())
  const app = await createApp(site, { database: database.url, uploads: join(folder, 'new') })
  closing.push(() => app.close())
  const { documents: counts, files } = await imported(app, folder)
  expect([counts, files]).toMatchObject([
    { added: 1, refused: 3 },
    { added: 0, refused: 3 },
  ])
})

test('§10.5 the command imports a folder, tells what did not fit, and says what it needs', async () => {
  const folder = await newFolder()
  await cp(FIXTURE, join(folder, 'old'), { recursive: true })
  await copyFile(join(folder, 'old/aposDocs.jsonl'), join(folder, 'old/aposDocs.json'))
  await rm(join(folder, 'old/aposDocs.jsonl'))
  await writeFile(join(folder, 'site.ts'), `export const site = { kind: 'site', options: { name: 'Empty' } }\n`)
  const tried = await quire(folder, ['import', '--from', 'apostrophe', 'old', '--dry-run'])
  expect([tried.code, tried.out]).toEqual([1, expect.stringContaining('Would import ')])
  expect(await readdir(folder)).toEqual(['import-report.jsonl', 'old', 'site.ts'])
  const { code, out, err } = await quire(folder, ['import', '--from', 'apostrophe', 'old'])
  expect([code, out]).toEqual([1, expect.stringContaining('Imported 2 files;')])
  expect(err).toContain('not of this site: article; as in cl0articleoneaaaaaaaaaaaa:en: The site has no type article.')
  expect((await readFile(join(folder, 'import-report.jsonl'), 'utf8')).split('\n').length).toBeGreaterThan(5)
  const none = await quire(folder, ['import', '--from', 'apostrophe', 'nowhere'])
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('There is no aposDocs.json in nowhere')])
})
