import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { zstdDecompressSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { referenceSite } from '../../../../conformance/site.ts'
import { QUIRE } from '../../../../example/command.ts'
import { startBucket } from '../../../test/bucket.ts'
import { quire } from '../../../test/command.ts'
import { sampledDatabases, type TestDatabases, testDatabases } from '../../../test/databases.ts'
import { importFile } from '../../../test/imported.ts'
import { imagePiece } from '../../../test/media.ts'
import { makeUser } from '../../../test/people.ts'
import { isWhole, some } from '../../../test/sample.ts'
import { type Service, startService } from '../../../test/service.ts'
import { createApp } from '../../app.ts'
import { newId } from '../../base/ids.ts'
import { insert, insertMany } from '../../engine/operations/insert.ts'
import { write } from '../../engine/write.ts'
import { defineSite, type SiteDeclaration } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'
import type { App, AppOptions } from '../../service.ts'
import { MANIFEST, manifestText } from '../archive/manifest.ts'
import { writeArchive } from '../archive/output.ts'
import { verifyArchive } from '../archive/read-archive.ts'
import { quietLog } from '../command/json-log.ts'
import { exportContent } from './export-content.ts'
import type { ImportOptions } from './import-content.ts'
import { ImportReport } from './import-report.ts'

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  vi.unstubAllEnvs()
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-content-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function started(databases: TestDatabases, options = {}): Promise<Service> {
  const service = await startService(databases, options)
  closing.push(() => service.stop())
  return service
}

const all = { types: null, locales: null }

async function exported(service: Service, selection: Parameters<typeof exportContent>[2] = all): Promise<string> {
  const file = join(await newFolder(), 'content')
  const { missing } = await exportContent(service.app.context({ kind: 'operator' }), file, selection, () => {})
  expect(missing).toEqual([])
  return file
}

async function imported(app: App, file: string, given: Partial<ImportOptions> = {}) {
  await verifyArchive({ path: file, name: file })
  return importFile(app.context({ kind: 'operator' }), file, await newFolder(), given)
}

const CROP = { top: 10, left: 20, width: 300, height: 150 }

/** Documents that relate to each other in a circle, in several states and locales; pages; images with crops. */
async function fill({ editor, admin, ...service }: Service) {
  const image = await imagePiece({ editor, admin, ...service } as Service)
  const { _id } = image.attachment
  expect((await editor.post('@cms/attachment/crop', { _id, crop: CROP })).status).toBe(200)
  const topic = (await editor.post('topic', { title: 'Sea' })).body
  const first = (await editor.post('article', { title: 'First', tags: ['red'], _topics: [{ _id: topic._id }] })).body
  await editor.post('article', { title: 'Second', count: 3, archived: true })
  await editor.patch(`article/${first.aposDocId}`, { title: 'First, as a draft' }, 'aposMode=draft')
  await editor.post(`article/${first.aposDocId}:en:draft/localize`, { toLocale: 'fr' })
  const page = async (title: string, target: string, position = 'lastChild') => {
    const answer = await editor.post('@cms/page', {
      title,
      type: 'default-page',
      _targetId: target,
      _position: position,
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }
  const about = await page('About', '_home')
  await page('Team', about._id)
  await page('News', '_home', 'firstChild')
  await page('Old', '_archive')
  await editor.patch(`@cms/page/${about._id}`, { slug: '/about-us' })
  await editor.patch('@cms/page/_home', { title: 'Welcome' })
  return { first, image, about }
}

/**
 * Reads what is the same in every copy of the content: pages that the service made by itself were saved at other times.
 */
async function contentOf(address: string): Promise<unknown[]> {
  const get = async (path: string) => {
    const response = await fetch(`${address}/api/v1/${path}`, { headers: { authorization: 'ApiKey key-admin' } })
    // Crops are made again, which changes the attachment.
    return (await response.text()).replaceAll(/("updatedAt":)"[^"]*"(,"group")/g, '$1$2')
  }
  const lists = ['article?perPage=50', 'article?aposMode=draft&archived=any&sort=title', 'topic', '@cms/image']
  const pages = JSON.parse(await get('@cms/page?all=1&flat=1&aposMode=draft&archived=any')).results
  const kept = ['aposDocId', 'title', 'slug', 'type', 'path', 'rank', 'level', 'archived', 'visibility', 'main']
  return [
    ...(await Promise.all([...lists, 'article?aposLocale=fr&aposMode=draft'].map(get))),
    pages.map((page: Record<string, unknown>) => kept.map((name) => page[name])),
  ]
}

async function appOn(
  databases: TestDatabases,
  site: SiteDeclaration = referenceSite({}),
  given: Partial<AppOptions> = {},
) {
  const database = await databases.createReady()
  const options = { uploads: join(await newFolder(), 'uploads'), ...given, database: database.url }
  const keys = [{ key: 'key-admin', role: 'admin', name: 'admin' } as const]
  const app = await createApp(site, { ...options, keys, log: quietLog })
  closing.push(async () => {
    await app.close()
    await database.drop()
  })
  return { app, options, address: await app.listen(0, '127.0.0.1') }
}

describe.each(sampledDatabases('export'))('§10.3 an export of $name', { timeout: 60_000 }, (databases) => {
  test.each(testDatabases)('imported to $name holds the same content, once', async (other) => {
    const service = await started(databases)
    const { image, about } = await fill(service)
    const file = await exported(service)
    const { app, address } = await appOn(other)
    const first = await imported(app, file)
    expect(first.issues).toEqual([])
    expect(first.documents).toMatchObject({ refused: 0 })
    expect(await contentOf(address)).toEqual(await contentOf(service.address))
    for (const path of [image._url, image._url.replace('.jpg', '.10.20.300.150.one-half.jpg')]) {
      expect([path, (await fetch(`${address}${path}`)).status]).toEqual([path, 200])
    }
    const urls = await app.store.tree.formerUrls('en', [about.aposDocId])
    expect(urls).toEqual(await service.app.store.tree.formerUrls('en', [about.aposDocId]))
    const before = await contentOf(address)
    for (const update of [false, true]) {
      const again = await imported(app, file, { update })
      expect(again).toMatchObject({ documents: { added: 0, changed: 0, refused: 0 }, files: { added: 0 }, issues: [] })
    }
    expect(await contentOf(address)).toEqual(before)
  })
})

const [anyKind = testDatabases[0]] = some(testDatabases, 1)

describe('§10.4 imports', { timeout: 60_000 }, () => {
  if (anyKind === undefined) throw new Error('There is no database.')

  test('by type and locale, to a bucket, and with --update what was changed since', async () => {
    const bucket = await startBucket('media')
    closing.push(() => bucket.stop())
    const service = await started(anyKind)
    const { first } = await fill(service)
    const selection = { types: new Set(['article', 'topic']), locales: new Set(['en']) }
    const file = await exported(service, selection)
    const given = { uploads: 's3://media', uploadsEndpoint: bucket.url }
    const { app } = await appOn(anyKind, referenceSite({}), given)
    expect((await imported(app, file)).documents).toEqual({ added: 3, changed: 0, unchanged: 0, refused: 0 })
    expect((await app.store.documents.copies(first.aposDocId, 'fr')).draft).toBeNull()
    await service.editor.patch(`article/${first.aposDocId}`, { title: 'Changed' })
    const later = await exported(service, selection)
    expect((await imported(app, later)).documents).toMatchObject({ changed: 0, unchanged: 3 })
    expect((await imported(app, later, { update: true })).documents).toMatchObject({ changed: 1, unchanged: 2 })
    expect((await app.store.documents.copies(first.aposDocId, 'en')).published?.fields).toMatchObject({
      title: 'Changed',
    })
    await makeUser(service.app, 'ann')
    const users = await exported(service, { types: new Set(['@cms/user']), locales: null })
    const unasked = await imported(app, users)
    expect(unasked.documents).toEqual({ added: 0, changed: 0, unchanged: 0, refused: 0 })
    expect(unasked.issues).toMatchObject([{ what: 'user left out', type: '@cms/user', count: 1 }])
    const asked = { types: new Set(['@cms/user']) }
    expect((await imported(app, users, asked)).documents).toMatchObject({ added: 1, refused: 0 })
    const images = await exported(service)
    expect((await imported(app, images, { dryRun: true })).documents).toMatchObject({ refused: 0 })
    expect((await imported(app, images)).files).toMatchObject({ added: 1, refused: 0 })
    expect((await bucket.names()).filter((name) => name.startsWith('attachments/'))).not.toEqual([])
  })

  test('tell what does not fit, and leave out nothing else; a dry run tells the same and stores nothing', async () => {
    const service = await started(anyKind)
    await fill(service)
    const file = await exported(service)
    const site = defineSite({
      locales: { en: { label: 'English' } },
      types: [
        piece('article', { label: 'Article', fields: { add: { count: { type: 'integer', max: 2 } } } }),
        piece('subject', { label: 'Subject', fields: { add: {} } }),
      ],
    })
    const { app } = await appOn(anyKind, site)
    const ctx = app.context({ kind: 'operator' })
    await app.as({ role: 'editor', name: 'Test' }).insert('article', { title: 'Taken', slug: 'first' })
    const [image] = await service.app.store.documents.bySlug(
      { type: '@cms/image', locale: 'en', mode: 'published', archived: 'any', visibility: null },
      '',
      1,
    )
    await write(ctx, (ctx) => {
      const subject = ctx.site.types.get('subject')
      if (subject === undefined || image === undefined) throw new Error('There is no such type.')
      return insert(ctx, { type: subject, locale: 'en', mode: 'published' }, { title: 'Zoo' }, image.id.docId)
    })
    const renamed = (name: string) => (name === 'topic' ? 'subject' : name)
    const tried = await imported(app, file, { renamed, dryRun: true })
    expect(await ctx.store.attachments.count()).toBe(0)
    const { documents, issues } = await imported(app, file, { renamed })
    const found = issues.map(({ what, type, field }) => `${what}: ${type} ${field}`.trim())
    for (const one of [
      'not of this site: default-page',
      'not of this site: article',
      'value not taken: article tags',
      'value not taken: article topicsIds',
      'value does not fit: article count',
      'slug taken: article slug',
      'refused: @cms/image',
    ]) {
      expect(found).toContain(one)
    }
    expect(tried.issues.map(({ what, type, field }) => `${what}: ${type} ${field}`.trim())).toEqual(found)
    expect(tried.documents).toEqual(documents)
    const topics = { type: 'subject', locale: 'en', mode: 'published', archived: 'any', visibility: null } as const
    expect((await ctx.store.documents.bySlug(topics, '', 10)).map(({ title }) => title)).toEqual(['Sea', 'Zoo'])
  })

  test('text with any character goes through, also those that end lines elsewhere', async () => {
    const service = await started(anyKind)
    const title = 'One\u2028two\u2029three\u0085four\u000bfive'
    const { body } = await service.editor.post('topic', { title })
    const { app } = await appOn(anyKind)
    expect(await imported(app, await exported(service))).toMatchObject({ documents: { refused: 0 }, issues: [] })
    expect((await app.store.documents.copies(body.aposDocId, 'en')).published?.fields).toMatchObject({ title })
  })

  test('documents that --type and --locale do not select are not reported, known here or not', async () => {
    const service = await started(anyKind)
    await fill(service)
    const file = await exported(service)
    const types = [piece('topic', {})]
    const { app } = await appOn(anyKind, defineSite({ types, locales: { en: { label: 'English' } } }))
    const chosen = await imported(app, file, { types: new Set(['topic']), locales: new Set(['en']) })
    expect([chosen.documents, chosen.issues]).toEqual([{ added: 1, changed: 0, unchanged: 0, refused: 0 }, []])
    const ofLocale = await imported(app, file, { locales: new Set(['en']) })
    expect(ofLocale.issues.filter(({ example }) => example.id.endsWith(':fr'))).toEqual([])
    expect(ofLocale.issues).toContainEqual(expect.objectContaining({ what: 'not of this site', type: 'article' }))
  })

  test('with --update leave pages where they are, and tell which were in the archive', async () => {
    const service = await started(anyKind)
    await fill(service)
    const file = await exported(service)
    const { app } = await appOn(anyKind)
    await imported(app, file)
    const answer = await service.editor.get('@cms/page', 'all=1&flat=1')
    const team = answer.body.results.find(({ title }: { readonly title: string }) => title === 'Team')
    const moved = { _targetId: '_archive', _position: 'lastChild' }
    expect((await service.editor.patch(`@cms/page/${team._id}`, moved)).status).toBe(200)
    const { issues, documents } = await imported(app, await exported(service), { update: true })
    expect(documents.refused).toBe(0)
    expect(issues.map(({ what, field, count }) => [what, field, count])).toEqual([
      ['value does not fit', 'archived', 1],
    ])
    const { draft } = await app.store.documents.copies(team.aposDocId, 'en')
    expect(draft?.fields).toMatchObject({ archived: false })
  })

  test('leave a built-in page as it is once somebody has saved its draft', async () => {
    const service = await started(anyKind)
    expect((await service.editor.patch('@cms/page/_home', { title: 'There' })).status).toBe(200)
    const { app } = await appOn(anyKind)
    const home = (await service.editor.get('@cms/page/_home')).body.aposDocId
    const here = app.as({ role: 'admin', name: 'Test' }, { mode: 'draft' })
    await here.patch('@cms/page', home, { title: 'Here' })
    await imported(app, await exported(service))
    const { draft, published } = await app.store.documents.copies(home, 'en')
    expect([draft?.fields, published?.fields]).toMatchObject([{ title: 'Here' }, { title: 'Home' }])
  })

  test('that are killed go on where they were', async () => {
    const service = await started(anyKind)
    await fill(service)
    const many = Array.from({ length: isWhole ? 600 : 200 }, (_, index) => ({ title: `Topic ${index}` }))
    const ctx = service.app.context({ kind: 'operator' })
    const type = ctx.site.types.get('topic')
    if (type === undefined) throw new Error('There is no such type.')
    const target = { type, locale: 'en', mode: 'published' } as const
    const documents = many.map((body) => ({ docId: newId(), body }))
    await write(ctx, (ctx) => insertMany(ctx, target, documents))
    const file = await exported(service)
    const { app, options } = await appOn(anyKind)
    const folder = await newFolder()
    await writeFile(join(folder, 'site.ts'), siteFile())
    const environment = { QUIRE_DATABASE: options.database, QUIRE_UPLOADS: options.uploads }
    for (const milliseconds of isWhole ? [500, 700, 900, 1100, 1300] : [900]) {
      const child = spawn(process.execPath, [QUIRE, 'import', file], {
        cwd: folder,
        env: { ...process.env, ...environment },
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      await Promise.race([ended, pause(milliseconds)])
      child.kill('SIGKILL')
      await ended
    }
    const { code, out } = await quire(folder, ['import', file], environment)
    expect([code, out]).toEqual([0, expect.stringContaining('0 did not fit')])
    const topics = { type: 'topic', locale: 'en', mode: 'published', archived: 'any', visibility: null } as const
    expect((await app.store.documents.bySlug(topics, '', 1000)).length).toBe(many.length + 1)
    const again = await quire(folder, ['import', file, '--update'], environment)
    expect(again.out).toContain('Imported 0 documents, and changed 0;')
  }, 180_000)
})

function siteFile(): string {
  const path = join(import.meta.dirname, '../../../../conformance/site.ts')
  return `import { referenceSite } from '${path}'\nexport const site = referenceSite({})\n`
}

describe('§10.3 exports and imports of what is not as it should be', () => {
  const [databases] = sampledDatabases('of what is not as it should be')

  const opened = async (declared: SiteDeclaration, database: string) => {
    const app = await createApp(declared, { database, uploads: join(await newFolder(), 'uploads'), log: quietLog })
    closing.push(() => app.close())
    return app
  }
  const newDatabase = async () => {
    const database = await databases?.createReady()
    if (database === undefined) throw new Error('There is no database.')
    closing.push(() => database.drop())
    return database.url
  }
  const archive = async (name: string, text: string) => {
    const file = join(await newFolder(), 'content')
    await writeArchive(file, new Date(), async (archive) => {
      await archive.addText(MANIFEST, manifestText('export', null, new Date(), {}))
      await archive.addText(name, text)
    })
    return file
  }
  const siteWith = (type: 'password' | 'string') =>
    defineSite({ types: [piece('safe', { fields: { add: { code: { type }, name: { type: 'string' } } } })] })

  test('a value that was secret is not exported when its field is declared otherwise now', async () => {
    const database = await newDatabase()
    const before = await opened(siteWith('password'), database)
    await before.as({ role: 'admin', name: 'Test' }).insert('safe', { title: 'Safe', code: 'secret code of it' })
    await before.close()
    for (const declared of [siteWith('string'), defineSite({ types: [piece('safe')] })]) {
      const app = await opened(declared, database)
      const file = join(await newFolder(), 'content')
      const { secrets } = await exportContent(app.context({ kind: 'operator' }), file, all, () => {})
      await app.close()
      expect(secrets).toEqual(['safe.code'])
      expect(zstdDecompressSync((await readFile(file)).subarray(0, -40)).toString()).not.toContain('argon2')
    }
  })

  test('documents of types and locales that the site does not declare are reported, unless types are selected', async () => {
    const database = await newDatabase()
    const locales = { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } }
    const before = await opened(defineSite({ locales, types: [piece('note'), piece('recipe')] }), database)
    for (const type of ['note', 'recipe']) {
      for (const locale of ['en', 'fr'])
        await before.as({ role: 'admin', name: 'Test' }, { locale }).insert(type, { title: 'A' })
    }
    await before.close()
    const app = await opened(defineSite({ locales: { en: locales.en }, types: [piece('note')] }), database)
    closing.push(() => app.close())
    const reported = async (types: string[] | null) => {
      const file = join(await newFolder(), 'content')
      const selection = { types: types && new Set(types), locales: null }
      return (await exportContent(app.context({ kind: 'operator' }), file, selection, () => {})).undeclared
    }
    // In addition to the note, each locale has a home page, an archive and two singletons.
    expect(await reported(null)).toEqual(['2 documents of the type recipe', '5 documents in the locale fr'])
    expect(await reported(['note'])).toEqual([])
  })

  test('what nobody exported so is refused, or gets an id and times that others can have', async () => {
    const app = await opened(siteWith('password'), await newDatabase())
    const times = { createdAt: 'no time', updatedAt: '2020-01-02T00:00:00.000Z', lastPublishedAt: 'x', updatedBy: {} }
    const line = (docId: string, more: object = {}) => {
      const draft = { ...times, fields: { title: docId, slug: docId, code: 'a long password' } }
      return { docId, type: 'safe', locale: 'en', draft, published: null, ...more }
    }
    const wrong = ['null', '{', '[]', { docId: 1 }, line('x', { draft: null }), line('x', { draft: { fields: 1 } })]
    for (const one of wrong) {
      const file = await archive('documents/1.jsonl', typeof one === 'string' ? one : JSON.stringify(one))
      await expect(imported(app, file)).rejects.toThrow('not as quire export writes it')
    }
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const nested = JSON.stringify(line('deep')).replace('"a long password"', deep)
    const file = await archive('documents/1.jsonl', `${JSON.stringify(line('first'))}\n\n${nested}`)
    await expect(imported(app, file)).rejects.toThrow('documents/1.jsonl in the archive, line 3, is nested more than')
    expect(await app.store.documents.copies('first', 'en')).toMatchObject({ draft: null })
    await expect(imported(app, await archive('media/a.json', '{"id":"a"}'))).rejects.toThrow('not as quire export')
    const lines = ['well', '../up', 'a:b'].map((id) => JSON.stringify(line(id)))
    const { documents, issues } = await imported(app, await archive('documents/1.jsonl', lines.join('\n')))
    expect([documents, issues.map(({ what }) => what)]).toMatchObject([{ added: 1, refused: 2 }, ['not of this site']])
    const { draft } = await app.store.documents.copies('well', 'en')
    expect(draft).toMatchObject({ createdAt: times.updatedAt, updatedAt: times.updatedAt, lastPublishedAt: null })
    const admin = { ...times, fields: { title: 'Eve', username: 'eve', password: 'a long password', role: 'admin' } }
    const eve = JSON.stringify(line('eve', { type: 'person', locale: '', draft: null, published: admin }))
    const eves = await archive('documents/1.jsonl', eve)
    const renamed = () => '@cms/user'
    for (const update of [false, true]) {
      const { issues } = await imported(app, eves, { update, renamed })
      expect(issues).toMatchObject([{ what: 'user left out', example: { id: 'eve' } }])
    }
    expect((await app.store.documents.copies('eve', '')).published).toBeNull()
  })

  test('a page whose parent is not there is reported as such', async () => {
    const app = await opened(defineSite({ types: [page('leaf')] }), await newDatabase())
    const time = '2020-01-02T00:00:00.000Z'
    const fields = { title: 'Below', slug: '/above/below' }
    const draft = { createdAt: time, updatedAt: time, lastPublishedAt: null, updatedBy: {}, fields }
    const below = { docId: 'below', type: 'leaf', locale: 'en', parent: 'above', draft, published: null }
    const { documents, issues } = await imported(app, await archive('documents/1.jsonl', JSON.stringify(below)))
    expect(documents).toMatchObject({ added: 0, refused: 1 })
    expect(issues).toMatchObject([{ what: 'page without its parent', example: { id: 'below:en' } }])
  })

  test('the one document of a singleton is filled under the name that its type has here', async () => {
    const single = (name: string, more: object = {}) =>
      defineSite({ ...more, types: [piece(name, { singleton: true, fields: { add: { motto: { type: 'string' } } } })] })
    const from = await opened(single('settings'), await newDatabase())
    const operator = from.context({ kind: 'operator' })
    const acting = { role: 'admin', name: 'Test' } as const
    const former = (await from.as(acting).find('settings')).results[0]
    await from.as(acting).patch('settings', String(former?._id), { motto: 'Onwards' })
    const file = join(await newFolder(), 'content')
    await exportContent(operator, file, { types: new Set(['settings', '@cms/global']), locales: null }, () => {})
    const to = await opened(single('options', { namespace: '@apostrophecms' }), await newDatabase())
    const renamed = (name: string) => (name === 'settings' ? 'options' : name.replace('@cms/', '@apostrophecms/'))
    expect((await imported(to, file, { renamed })).documents).toMatchObject({ added: 0, changed: 1, refused: 0 })
    for (const [type, values] of [
      ['options', { motto: 'Onwards' }],
      ['@apostrophecms/global', {}],
    ] as const) {
      expect((await to.as(acting).find(type)).results).toMatchObject([values])
    }
    expect((await imported(to, file, { renamed, update: true })).documents).toMatchObject({ added: 0, unchanged: 2 })
  })

  test('of several documents that would be the one of a singleton, the first is imported, and the others are reported', async () => {
    const from = await opened(defineSite({ types: [piece('note')] }), await newDatabase())
    const acting = { role: 'admin', name: 'Test' } as const
    for (const title of ['One', 'Two', 'Three']) await from.as(acting).insert('note', { title })
    const file = join(await newFolder(), 'content')
    const selection = { types: new Set(['note']), locales: null }
    await exportContent(from.context({ kind: 'operator' }), file, selection, () => {})
    const to = await opened(defineSite({ types: [piece('options', { singleton: true })] }), await newDatabase())
    const { documents, issues } = await imported(to, file, { renamed: () => 'options', update: true })
    expect(documents).toEqual({ added: 0, changed: 1, unchanged: 0, refused: 2 })
    expect(issues).toMatchObject([{ what: 'second of a singleton', type: 'note', count: 2 }])
  })

  test('§4.3 a file with more bytes than an upload may have is refused, and all else is imported', async () => {
    const app = await opened(defineSite({ limits: { uploadBytes: 1000 } }), await newDatabase())
    const archive = join(await newFolder(), 'content')
    await writeArchive(archive, new Date(), async (archive) => {
      await archive.addText(MANIFEST, manifestText('export', null, new Date(), {}))
      for (const [id, size] of [
        ['small', 1000],
        ['large', 1001],
        ['last', 1],
      ] as const) {
        const now = new Date().toISOString()
        const facts = { id, name: id, title: id, extension: 'txt', crops: [], createdAt: now, updatedAt: now }
        await archive.addText(`media/${id}.json`, JSON.stringify(facts))
        await archive.addText(`media/${id}.txt`, 'x'.repeat(size))
      }
    })
    const { files, issues } = await imported(app, archive)
    expect(files).toEqual({ added: 2, unchanged: 0, refused: 1 })
    expect(issues[0]?.example).toMatchObject({
      what: 'file refused',
      id: 'large',
      message: 'large.txt: It has 1001 bytes, and a file may have 1000.',
    })
  })
})

test('§10.4 the report of an import is a line for each issue', async () => {
  const file = join(await newFolder(), 'report.jsonl')
  const report = new ImportReport(file)
  report.add({
    what: 'value',
    type: 'article',
    id: 'a:en',
    path: 'items.01m81q8kmcfn3q3qhkba98wvj4.to',
    message: 'No.',
  })
  report.add({ what: 'value', type: 'article', id: 'b:en', path: 'items.2.to', message: 'No.' })
  await report.close()
  expect(report.counts()).toMatchObject([{ what: 'value', field: 'items.to', count: 2, example: { id: 'a:en' } }])
  expect((await readFile(file, 'utf8')).split('\n')).toHaveLength(3)
  const unwritable = new ImportReport(join(file, 'report.jsonl'))
  unwritable.add({ what: 'value', type: 'article', id: 'a:en', message: 'No.' })
  await expect(unwritable.close()).rejects.toThrow('ENOTDIR')
  // What an earlier import has written is replaced, or removed.
  const unused = new ImportReport(file)
  await unused.begin()
  await unused.close()
  await expect(readFile(file)).rejects.toThrow('ENOENT')
})

test('§10.4 a report that cannot be written is an error before anything is imported', async () => {
  if (anyKind === undefined) throw new Error('There is no database.')
  const folder = await newFolder()
  const service = await started(anyKind)
  await service.editor.post('topic', { title: 'Sea' })
  const file = await exported(service)
  const site = join(import.meta.dirname, '../../../../example/site.ts')
  await writeFile(join(folder, 'notes.txt'), 'Mine.')
  for (const [report, message] of [
    ['.', '. is not a file.'],
    ['notes.txt', 'notes.txt is there already, and was not written by this command.'],
    ['none/report.jsonl', 'The report cannot be written: ENOENT: no such file or directory'],
  ] as const) {
    const given = ['import', file, '--site', site, '--report', report]
    const { code, err } = await quire(folder, given, { QUIRE_DATABASE: 'sqlite:a.db' })
    expect([code, err]).toEqual([1, expect.stringContaining(`quire: ${message}`)])
    expect(await readdir(folder)).toEqual(['notes.txt'])
  }
})
