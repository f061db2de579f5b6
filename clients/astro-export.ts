import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabases } from '../cms/test/databases.ts'
import { type Service, startService } from '../cms/test/service.ts'
import { exportAstro } from './astro-project.ts'
import { area, Editor, richText } from './editor.ts'
import { type FileServer, filesIn, linksIn, serveFiles, urlOf } from './exported-files.ts'
import { fillFrontEnd } from './front-end-content.ts'
import { type FrontEndOptions, frontEndSite } from './front-end-site.ts'

// The Astro project, written as files by a service with `static: true`, and served by a server that knows of files
// only.

const FRONT_KEY = 'front-key'
const BLOG = '@apostrophecms/blog'
/** Values that are steps of paths, and values that cannot be. */
const MOODS = [
  'Rock & Roll',
  "it's",
  'a+b',
  'a=b;c',
  'été 1.5',
  '100%',
  'a?b',
  'a#b',
  'a%2Fb',
  'x:y',
  '"q"',
  '<b>',
  'a/b',
  '..',
]
const STATIC_URL = 'https://www.example.test'

const SITES: FrontEndOptions[] = [
  { static: true },
  {
    static: true,
    prefix: '/site',
    baseUrl: 'https://cms.example.test',
    staticBaseUrl: STATIC_URL,
    robots: true,
    sitemap: true,
    llms: true,
    feed: true,
  },
]

/** Tests that no link inside of a static export is broken. */
export function testStaticExport(): void {
  describe.each(SITES)('%o', (options) => {
    const prefix = options.prefix ?? ''
    let service: Service
    let folder: string
    let files: readonly string[]
    let server: FileServer
    beforeAll(async () => {
      const [database] = testDatabases
      if (database === undefined) throw new Error('There is a database to test on.')
      service = await startService(database, { site: frontEndSite(options), frontKey: FRONT_KEY })
      await fillFrontEnd(service.address + prefix)
      await fillOddities(new Editor(service.address + prefix))
      const name = `export${prefix.replace('/', '-')}`
      const built = await exportAstro({ name, service: service.address, frontKey: FRONT_KEY, prefix })
      expect(built.printed).not.toMatch(/skipped|failed|error:|✗/i)
      folder = built.folder
      files = await filesIn(folder)
      server = await serveFiles(folder, prefix)
    }, 240_000)
    afterAll(async () => {
      server?.close()
      await service?.stop()
    })

    test('§4.6 the export holds pages, further pages and filters, in both languages, and attachments', () => {
      expect(files).toEqual(
        expect.arrayContaining([
          'index.html',
          'about/team/index.html',
          'blog/index.html',
          'blog/page/2/index.html',
          'blog/section/essay/index.html',
          'blog/section/essay/page/2/index.html',
          'blog/author/ann-other/index.html',
          'blog/author/émile-zola/index.html',
          'blog/post-1/index.html',
          'blog/über-uns/index.html',
          'fr/index.html',
          'fr/about/index.html',
          'fr/blog/index.html',
          'fr/blog/post-1/index.html',
        ]),
      )
      const uploads = files.filter((file) => file.startsWith('uploads/attachments/'))
      expect(uploads.some((file) => file.endsWith('-plan.pdf'))).toBe(true)
      expect(uploads.some((file) => /\.100\.40\.600\.500\.two-thirds\.jpg$/.test(file))).toBe(true)
      expect(files.join()).not.toMatch(/members|gone|review/)
    })

    test.runIf(options.sitemap)(
      '§4.6 the export holds the files for search engines, which name its own URLs',
      async () => {
        const read = (file: string) => readFile(join(folder, file), 'utf8')
        expect(await read('robots.txt')).toContain(`Sitemap: ${STATIC_URL}${prefix}/sitemap.xml`)
        const sitemap = await read('sitemap.xml')
        for (const path of ['/', '/fr/', '/blog', '/blog/post-1']) {
          expect(sitemap).toContain(`<loc>${STATIC_URL}${prefix}${path}</loc>`)
        }
        // What the others lead to, too.
        expect(sitemap).not.toMatch(/page\/2|mood\/a/)
        expect(await read('blog/rss.xml')).toContain(`<link>${STATIC_URL}${prefix}/blog/post-1</link>`)
        expect(await read('fr/blog/atom.xml')).toContain(`href="${STATIC_URL}${prefix}/fr/blog/post-1"`)
        expect(await read('llms.txt')).toContain(`(${STATIC_URL}${prefix}/about)`)
      },
    )

    test('§4.6 every file is served, and no link inside of one is broken', async () => {
      const broken: string[] = []
      const found = new Map<string, number>()
      const statusOf = async (url: URL) => {
        const known = found.get(url.pathname)
        if (known !== undefined) return known
        const { status } = await fetch(url, { redirect: 'manual' })
        found.set(url.pathname, status)
        return status
      }
      let links = 0
      for (const file of files) {
        const url = new URL(`${prefix}/${urlOf(file)}`, server.address)
        if ((await statusOf(url)) !== 200) broken.push(`${url.pathname} is not served`)
        for (const link of linksIn(file, await readFile(join(folder, file), 'utf8'))) {
          const target = new URL(link, url)
          // Files stay at the base URL, which is that of the service.
          const isOwn = target.origin === options.baseUrl && target.pathname.startsWith(`${prefix}/uploads/`)
          if (target.origin === options.baseUrl && !isOwn) broken.push(`${file}: ${link}`)
          if (target.origin !== server.address && target.origin !== STATIC_URL && !isOwn) continue
          links += 1
          if ((await statusOf(new URL(target.pathname, server.address))) !== 200) broken.push(`${file}: ${link}`)
        }
      }
      expect(broken).toEqual([])
      expect(links).toBeGreaterThan(200)
    })

    test('§4.6 every page can be reached from the home pages', async () => {
      const reached = new Set<string>()
      const waiting = [`${prefix}/`]
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        if (reached.has(path)) continue
        reached.add(path)
        const response = await fetch(new URL(path, server.address))
        if (!response.headers.get('content-type')?.startsWith('text/html')) continue
        for (const link of linksIn('.html', await response.text())) {
          const { origin, pathname } = new URL(link, new URL(path, server.address))
          if (origin === server.address || origin === STATIC_URL) waiting.push(pathname)
        }
      }
      const paths = new Set([...reached].map((path) => decodeURIComponent(path).replace(/\/$/, '')))
      const pages = files.filter((file) => file.endsWith('index.html'))
      const unreached = pages.map((file) => `${prefix}/${file.replace(/\/?index\.html$/, '')}`.replace(/\/$/, ''))
      expect(unreached.filter((path) => !paths.has(path))).toEqual([])
    })

    test('§4.6 the pages of the export are those of the service', async () => {
      const text = async (path: string) => (await fetch(new URL(prefix + path, server.address))).text()
      expect(await text('/')).toContain('<h2>Welcome</h2>')
      expect(await text('/blog/section/essay/page/2')).toContain('3 posts, page 2 of 2')
      expect(await text('/fr/about')).toContain('<h1>À propos</h1>')
      expect(await text('/fr/blog/post-1')).toMatch(/<html lang="fr"/)
      const post = await text('/blog/%C3%BCber-uns')
      expect(post).toContain('<h1>Über uns</h1>')
      expect(post).toMatch(/<img src="[^"]*\/uploads\/attachments\/[^"]*-sea\.full\.jpg"/)
      expect(post).toMatch(/<a href="[^"]*\/uploads\/attachments\/[^"]*-atlas\.pdf">The atlas<\/a>/)
      expect((await fetch(new URL(`${prefix}/nothing`, server.address))).status).toBe(404)
    })
  })
}

/** Adds content that other tests of the front end do not need: slugs in other scripts, and a blog in French. */
async function fillOddities(editor: Editor): Promise<void> {
  const author = await editor.make('author', { title: 'Émile Zola' })
  const image = await editor.image('Sea')
  const file = await editor.file('Atlas', 'Atlas.pdf')
  const text = `<p><a href="#apostrophe-permalink-${file.aposDocId}">The atlas</a></p>
<figure><img src="/api/v1/@apostrophecms/image/${image.aposDocId}/src" alt="Sea" /></figure>`
  await editor.make(BLOG, {
    title: 'Über uns',
    publishedAt: '2026-01-06',
    section: 'essay',
    _author: [author],
    main: area(richText(text)),
  })
  for (const [at, mood] of MOODS.entries())
    await editor.make(BLOG, { title: `Mood ${at}`, publishedAt: '2025-01-01', mood })
  const inFrench = { toLocale: 'fr', publish: true, update: true }
  for (const type of ['author', BLOG]) {
    for (const { _id } of await editor.list(type)) await editor.localize(type, _id, inFrench)
  }
  const page = (await editor.list('@apostrophecms/page')).find(({ type }) => type === `${BLOG}-page`)
  await editor.localizePage(page?._id ?? '', inFrench)
}
