import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENTRIES } from '../../client/build/paths.ts'
import { picture } from './file-bytes.ts'
import {
  type Installed,
  installCopies,
  npm,
  openInstalled,
  type Packed,
  packAll,
  unpack,
  weight,
  writeAll,
} from './installed.ts'
import { isWhole, sample } from './sample.ts'

// The package as it is published: packed in a fresh copy of the repository, and used in a folder outside of it.

/** The repository's compiler, and the one before it, which takes long. */
const COMPILERS = ['node_modules/typescript', ...(isWhole ? ['clients/node_modules/typescript'] : [])]
const COMPILATIONS = COMPILERS.flatMap((compiler) => [
  { compiler, options: ['--module', 'nodenext'] },
  { compiler, options: ['--module', 'esnext', '--moduleResolution', 'bundler'] },
])
const MOST_PACKAGES = 80
const MOST_BYTES = 40e6
const SITE = `
import { createApp, defineFieldType, defineSite, field, page, piece, route } from 'quire-cms'
import { z } from 'zod'

const stars = defineFieldType({
  name: 'stars',
  options: z.strictObject({ max: z.int().default(5) }),
  blank: () => null,
  read: (input, { max }, reading) => {
    if (typeof input === 'number' && input <= max) return input
    reading.problem(\`Give one to \${max} stars.\`)
    return null
  },
  toText: (value) => '★'.repeat(value),
  jsonSchema: ({ max }) => ({ type: ['integer', 'null'], maximum: max }),
})

const book = piece('book', {
  publicApiProjection: ['title', 'text', 'rating'],
  fields: {
    add: { text: { type: 'area', widgets: { '@cms/rich-text': {} } }, rating: field(stars, { max: 3 }) },
  },
})

const shelf = page('@cms/home-page', { template: 'shelf.njk' })

const double = route({
  method: 'POST',
  path: '/api/v1/double',
  tag: 'numbers',
  operationId: 'double',
  summary: 'Doubles a number',
  answer: { type: 'object' },
  body: z.strictObject({ number: z.int() }),
  handle: async (_ctx, { body }) => ({ number: body.number * 2 }),
})

export const site = defineSite({
  name: 'Shelf',
  types: [book, shelf],
  templates: new URL('./templates', import.meta.url),
  fieldTypes: [stars],
  features: [{ name: 'numbers', routes: () => [double] }],
  fastify: (app) => void app.get('/hello', async ({ url }, reply) => reply.type('text/plain').send(url)),
})

export async function titles(database: string): Promise<string[]> {
  const app = await createApp(site, { database })
  try {
    const { results } = await app.as({ role: 'editor', name: 'Import' }).find('book')
    return results.map(({ title }) => title)
  } finally {
    await app.close()
  }
}
`
/** A program that asks the service: its types are those of the site. */
const READER = `
import { createClient, set } from 'quire-client'
import { upload } from 'quire-client/media'
import { versions } from 'quire-client/versions'
import type { ModelOf, PieceName } from 'quire-cms/types'
import type { site } from './site.js'

export async function ratings(url: string, type: PieceName<ModelOf<typeof site>>): Promise<(number | null)[]> {
  const quire = createClient<typeof site>({ url, key: 'key' })
  const { results } = await quire.type('book').list({ rating: { min: 2 }, project: { rating: 1 } })
  await quire.type('book').edit('id', [set('rating', 3)])
  // @ts-expect-error no such field
  await quire.type('book').patch('id', { stars: 3 })
  // @ts-expect-error no such type
  quire.type('author')
  await upload(quire, new Blob([type]))
  await versions(quire, 'id').get('version')
  return results.map(({ rating }) => rating)
}
`
const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
  },
}

let below: string
let packed: Packed
let client: Packed
beforeAll(async () => {
  below = await mkdtemp(join(tmpdir(), 'quire-package-'))
  const [cms, other] = await packAll(['quire-cms', 'quire-client'], below)
  if (!cms || !other) throw new Error('npm has not packed both.')
  packed = cms
  client = other
}, 180_000)
afterAll(() => rm(below, { recursive: true }))

/** A folder with the package, beside a site. */
async function newFolder(name: string): Promise<string> {
  const folder = join(below, name)
  await mkdir(folder)
  await writeAll(folder, {
    'package.json': { private: true, type: 'module' },
    'tsconfig.json': TSCONFIG,
    'site.ts': SITE,
    'reader.ts': READER,
  })
  await mkdir(join(folder, 'templates'))
  await writeFile(join(folder, 'templates/shelf.njk'), "<h1>{{ 'Books & more' }}</h1>")
  return folder
}

test('the package holds what it needs to run and to be read, and nothing else', async () => {
  const KNOWN =
    /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|bin\/quire\.js|dist\/(LICENSES\.txt|deploy\/(Dockerfile|\.dockerignore|compose\.yaml|quire\.(service|socket)|nginx\.conf|Caddyfile|grafana-dashboard\.json|prometheus-alerts\.yaml|kubernetes\/[\w-]+\.yaml)|viewer\/LICENSE|viewer\/swagger-ui(-bundle\.js|\.css)\.br|editor\/(index\.html|inside\/inside\.js\.(br|gz)|assets\/[\w.-]+)|.*(\.js|\.js\.map|\.d\.ts)))$/
  expect(packed.files.filter((file) => !KNOWN.test(file) || /\btest\b/.test(file))).toEqual([])
  const needed = [
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
    'bin/quire.js',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/cli.js',
    'dist/deploy/Dockerfile',
    'dist/deploy/.dockerignore',
    'dist/deploy/compose.yaml',
    'dist/editor/index.html',
  ]
  expect(packed.files).toEqual(expect.arrayContaining([...needed, 'dist/LICENSES.txt']))
  expect(packed.files.filter((file) => /^dist\/service-.*\.js\.map$/.test(file))).toHaveLength(1)
})

test('the package of the client holds its entries and their declarations, which need no other package', async () => {
  const known = new RegExp(
    `^(package\\.json|README\\.md|LICENSE|dist/((${ENTRIES.join('|')}|shared-[\\w-]+)\\.js|[\\w/-]+\\.d\\.ts))$`,
  )
  expect(client.files.filter((file) => !known.test(file) || /\btest\b/.test(file))).toEqual([])
  const own = await unpack(client.tarball, join(below, 'client'), 'quire-client')
  const imported = await Promise.all(
    client.files
      .filter((file) => file.endsWith('.ts'))
      .map(async (file) => (await readFile(join(own, file), 'utf8')).match(/\bfrom '[^.][^']*'|\bimport\(/g) ?? []),
  )
  expect(imported.flat()).toEqual([])
})

describe.each(isWhole ? ['as copies', 'by npm'] : ['as copies'])('installed %s', (way) => {
  let folder: string
  let installed: Installed
  beforeAll(async () => {
    folder = await newFolder(way.replace(' ', '-'))
    if (way === 'as copies') await installCopies(packed.tarball, folder)
    else await npm(folder, ['install', '--prefer-offline', packed.tarball])
    await unpack(client.tarball, folder, 'quire-client')
    installed = openInstalled(folder)
  })

  test(`it weighs at most ${MOST_BYTES / 1e6} MB, in at most ${MOST_PACKAGES} packages`, async () => {
    const { packages, bytes } = await weight(folder)
    console.log(`quire-cms ${way}: ${packages} packages, ${(bytes / 1e6).toFixed(1)} MB`)
    expect(packages).toBeLessThanOrEqual(MOST_PACKAGES)
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES)
  })

  test.each(sample(COMPILATIONS, 1))(
    'a site and a client of it are type-checked strictly, declarations included: $compiler $options',
    async ({ compiler, options }) => {
      const tsc = fileURLToPath(new URL(`../../${compiler}/bin/tsc`, import.meta.url))
      expect(await installed.node([tsc, '-p', '.', ...options])).toMatchObject({ out: '', code: 0 })
    },
    180_000,
  )

  test('it serves, takes and shows content, and reads it in process', async () => {
    expect(await installed.quire(['check'])).toMatchObject({ code: 0 })
    const service = await installed.serve()
    console.log(`quire-cms ${way}: first answer after ${Math.round(service.firstAnswer)} ms`)
    try {
      const key = (await readFile(join(folder, 'data/admin-key'), 'utf8')).trim()
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const post = (path: string, body: object) =>
        fetch(service.address + path, { method: 'POST', headers, body: JSON.stringify(body) })
      const text = { items: [{ type: '@cms/rich-text', content: '<p>On <script>alert(1)</script>paper</p>' }] }
      const made = await post('/api/v1/book', { title: 'Dust', text, rating: 2 })
      expect(await made.json()).toMatchObject({ title: 'Dust' })
      expect((await post('/api/v1/book', { title: 'Rust', rating: 4 })).status).toBe(400)
      expect(await (await post('/api/v1/double', { number: 21 })).json()).toEqual({ number: 42 })
      expect((await post('/api/v1/double', { number: 'many' })).status).toBe(400)
      expect(await (await fetch(`${service.address}/hello`)).text()).toBe('/hello')
      const list = await (await fetch(`${service.address}/api/v1/book?search=paper`)).json()
      expect(list).toMatchObject({
        results: [{ title: 'Dust', rating: 2, text: { items: [{ content: '<p>On paper</p>' }] } }],
      })
      expect(await (await fetch(`${service.address}/`)).text()).toContain('<h1>Books &amp; more</h1>')
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(await picture().png().toBuffer())]), 'cover.png')
      const upload = { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form }
      const cover = await (await fetch(`${service.address}/api/v1/@cms/attachment/upload`, upload)).json()
      expect(cover).toMatchObject({ extension: 'png', width: 120 })
      const asking = `const { createClient } = await import('quire-client')
        const quire = createClient({ url: '${service.address}' })
        console.log((await quire.type('book').list()).results.map(({ title }) => title))`
      expect(await installed.node(['--input-type=module', '-e', asking])).toMatchObject({
        out: "[ 'Dust' ]\n",
        code: 0,
      })
      const openapi = await (await fetch(`${service.address}/api/v1/openapi.json`)).json()
      expect(openapi).toHaveProperty(['paths', '/api/v1/double'])
      const docs = await (await fetch(`${service.address}/api/v1/docs`)).text()
      const files = [...docs.matchAll(/\/api\/v1\/docs\/[^"]+/g)].map(([path]) => service.address + path)
      const statuses = await Promise.all(files.map(async (url) => (await fetch(url)).status))
      expect(statuses).toEqual([200, 200, 200])
      const editor = await (await fetch(`${service.address}/admin`)).text()
      const [, script] = /src="([^"]+)"/.exec(editor) ?? []
      expect((await fetch(service.address + script)).status).toBe(200)
      expect(await readFile(join(folder, 'node_modules/quire-cms/dist/LICENSES.txt'), 'utf8')).toContain('\npreact ')
    } finally {
      expect(await service.stop()).toBe(0)
    }
    const reading = `console.log(await (await import('./site.ts')).titles('sqlite:data/quire.db'))`
    expect(await installed.node(['--input-type=module', '-e', reading])).toMatchObject({ out: "[ 'Dust' ]\n", code: 0 })
  })

  test('it says which package a bucket needs', async () => {
    const { err, code } = await installed.quire(['serve'], { QUIRE_UPLOADS: 's3://files/here' })
    expect({ err, code }).toEqual({ err: expect.stringContaining('npm install @aws-sdk/client-s3'), code: 1 })
    expect(err).not.toContain('    at ')
  })

  test('it brings the files for a server', async () => {
    expect(await installed.quire(['deploy', 'init', 'nginx'])).toMatchObject({ code: 0, err: '' })
    expect(await readFile(join(folder, 'nginx.conf'), 'utf8')).toContain('upstream quire')
  })

  test('it says which Node.js it needs', async () => {
    const older = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
    const { err, code } = await installed.quire(['check'], { NODE_OPTIONS: `--import=${older.replaceAll(' ', '%20')}` })
    expect({ err, code }).toEqual({ err: expect.stringContaining('Quire needs Node.js 24'), code: 1 })
  })

  test('its stack traces name the sources, where Node.js is asked for that', async () => {
    const failing = `import { route } from 'quire-cms'; try { route({ csp: '\\n' }) } catch (error) { console.log(error.stack) }`
    const { out } = await installed.node(['--enable-source-maps', '--input-type=module', '-e', failing])
    expect(out).toMatch(/quire-cms\/src\/http\/requests\/typed-route\.ts:\d+/)
  })
})
