import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMMANDS, DOORS, LATE_PACKAGES } from './doors.ts'

const SOURCE = resolve(import.meta.dirname, '../src')
const DIFF = resolve(import.meta.dirname, '../../diff/src')
const LAYERS = ['base', 'model', 'images', 'files', 'store', 'engine', 'http', 'features']
/** What puts the layers together: it may use everything. */
const COMPOSITION_ROOT = ['app.ts', 'cli', 'content.ts', 'index.ts', 'service.ts', 'site-types.ts']
/** The rooms of each layer, lowest first; `.` are its files that lie in none of them. A file imports its own room or a lower one. */
const ROOMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  model: [
    ['terms'],
    ['field-type'],
    ['values'],
    ['declared'],
    ['fields'],
    ['history', 'styles'],
    ['changes', 'compile'],
  ],
  store: [
    ['terms'],
    ['database'],
    ['changes', 'migrations', 'records'],
    ['contract', 'lists', 'sqlite'],
    ['documents', 'postgres', 'tree'],
    ['versions'],
    ['.'],
  ],
  engine: [
    ['.'],
    ['access', 'embeds', 'media'],
    ['outgoing', 'values'],
    ['save'],
    ['lists', 'presentation'],
    ['pages'],
    ['operations'],
    ['content-migrations', 'rendering', 'versions', 'xliff'],
    ['proposals', 'styles', 'urls'],
    ['answers'],
  ],
  http: [['load', 'requests'], ['pipeline'], ['openapi']],
  cli: [
    ['command'],
    ['accounts', 'archive', 'doctor'],
    ['content', 'locales', 'serve'],
    ['apostrophe', 'backup', 'dev'],
    ['.'],
  ],
}
/** The most files of a folder, beside its rooms. */
const MOST_FILES = 30
/** File names that stand in several folders: what every feature has, and lists. */
const REPEATED_NAMES = ['feature.ts', 'index.ts']
/** Large libraries, and the only modules or files that know of them. */
const LIBRARIES: Readonly<Record<string, string>> = {
  fastify: 'http/',
  cookie: 'http/requests/headers.ts',
  '@fastify/busboy': 'http/requests/multipart-upload.ts',
  '@aws-sdk/client-s3': 'files/bucket.ts',
  '@opentelemetry/api': 'base/open-telemetry.ts',
  nunjucks: 'engine/rendering/nunjucks/',
  sharp: 'images/',
  pg: 'store/',
  'modern-tar': 'cli/archive/',
  '@modelcontextprotocol/server': 'features/agents/',
  'node:sqlite': 'store/',
}
/** In one layer: neither may import the other. */
const PEERS: readonly [string, string][] = [
  ['files', 'store'],
  ['images', 'files'],
  ['images', 'store'],
]
/** Files from the command line down to the last one, late imports included. To be lowered whenever it gets shorter. */
const LONGEST_CHAIN = 16
/** All of these take quadratic time for the marks of a letter. */
const NORMALIZES = /\.normalize\(|\blocaleCompare\b|\bCollator\b/
const MAY_NORMALIZE = 'base/text.ts'
const DIALECT_WORDS = /\b(sqlite|postgres(?:ql)?)\b/i
/** It reads large libraries late. */
const MAY_IMPORT_NODE = 'model/values/html-libraries.ts'
const MAY_NAME_DATABASES = /^(store\/(sqlite\/|postgres\/|open-store\.ts|database\/database-file\.ts)|cli\/|app\.ts$)/

interface Import {
  readonly from: string
  readonly to: string
  readonly line: string
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const sources = files.filter((file) => !file.endsWith('.test.ts') && !/(^|\/)test-/.test(file))
const imports: Import[] = sources.flatMap(importsOf)

function importsOf(file: string): Import[] {
  const text = readFileSync(join(SOURCE, file), 'utf8')
  return [...text.matchAll(/(?:import|from)\s*\(?\s*'([^']+)'/g)].map(([line, target = '']) => ({
    from: file,
    to: target.startsWith('.') ? relative(SOURCE, resolve(SOURCE, dirname(file), target)) : target,
    line: `${file}: ${line}`,
  }))
}

function layerOf(file: string): number {
  const layer = LAYERS.indexOf(file.split('/')[0] ?? '')
  return layer < 0 ? LAYERS.length : layer
}

/** The folder that a file lies in within its layer; `.` for none. */
function roomOf(file: string): string {
  const [, folder = '', ...deeper] = file.split('/')
  return deeper.length > 0 ? folder : '.'
}

const isLate = ({ line }: Import) => line.includes('import(')
const isOurs = ({ to }: Import) => to.endsWith('.ts')

describe('architecture: layers', () => {
  test('a file imports its own layer or a lower one', () => {
    const upwards = imports.filter((one) => isOurs(one) && layerOf(one.to) > layerOf(one.from))
    expect(upwards.map(({ line }) => line)).toEqual([])
  })

  test('every module has its layer', () => {
    const modules = new Set(sources.map((file) => file.split('/')[0] ?? ''))
    expect([...modules].toSorted()).toEqual([...LAYERS, ...COMPOSITION_ROOT].toSorted())
  })

  test.each(Object.entries(ROOMS))('inside %s a file imports its own room or a lower one', (layer, levels) => {
    const isInside = (file: string) => file.startsWith(`${layer}/`)
    const levelOf = (file: string) => levels.findIndex((rooms) => rooms.includes(roomOf(file)))
    const inside = imports.filter(({ from, to }) => isInside(from) && isInside(to) && roomOf(from) !== roomOf(to))
    expect(inside.filter(({ from, to }) => levelOf(to) >= levelOf(from)).map(({ line }) => line)).toEqual([])
    expect([...new Set(sources.filter(isInside).map(roomOf))].toSorted()).toEqual(levels.flat().toSorted())
  })

  test(`no folder holds more than ${MOST_FILES} files beside its rooms`, () => {
    const folders = Map.groupBy(sources, dirname)
    expect([...folders].filter(([, inFolder]) => inFolder.length > MOST_FILES).map(([folder]) => folder)).toEqual([])
  })

  test('a file name stands once, but for those that every feature has', () => {
    const named = Map.groupBy(sources, (file) => basename(file))
    const repeated = [...named].filter(([name, all]) => all.length > 1 && !REPEATED_NAMES.includes(name))
    expect(repeated.map(([, all]) => all)).toEqual([])
  })

  test('a large library is known to one module', () => {
    const elsewhere = imports.filter(({ from, to }) => !from.startsWith(LIBRARIES[to] ?? ''))
    expect(elsewhere.map(({ line }) => line)).toEqual([])
  })

  test('what is above the store speaks to it in the words of the domain', () => {
    const past = imports.filter(({ from, to }) => {
      const isAbove = layerOf(from) > layerOf('store') && layerOf(from) < LAYERS.length
      return isAbove && to.startsWith('store/') && to !== 'store/contract/store.ts'
    })
    expect(past.map(({ line }) => line)).toEqual([])
  })

  test('no feature imports another feature', () => {
    const across = imports.filter(({ from, to }) => {
      const [layer, feature] = from.split('/')
      const [toLayer, toFeature, ...deeper] = to.split('/')
      return (
        layer === 'features' &&
        toLayer === 'features' &&
        deeper.length > 0 &&
        from.split('/').length > 2 &&
        feature !== toFeature
      )
    })
    expect(across.map(({ line }) => line)).toEqual([])
  })

  test('store, files and images know nothing of each other', () => {
    const peers = imports.filter(({ from, to }) =>
      PEERS.some(([one, other]) => {
        const modules = [from.split('/')[0], to.split('/')[0]]
        return modules.includes(one) && modules.includes(other)
      }),
    )
    expect(peers.map(({ line }) => line)).toEqual([])
  })

  test('base and model import no Node module', () => {
    const impure = imports.filter(({ from, to }) => layerOf(from) < 2 && to.startsWith('node:'))
    expect(impure.filter(({ from }) => from !== MAY_IMPORT_NODE).map(({ line }) => line)).toEqual([])
  })

  test('no import goes in a circle, not even of types', () => {
    const next = nextFiles(imports)
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (path.includes(file) || done.has(file)) return
      for (const target of next.get(file) ?? []) visit(target, [...path, file])
      done.add(file)
    }
    for (const file of sources) visit(file, [])
    expect(circles).toEqual([])
  })

  test(`no chain of imports, types and late ones included, is longer than ${LONGEST_CHAIN} files`, () => {
    const next = nextFiles(imports)
    const chains = new Map<string, readonly string[]>()
    const chainFrom = (file: string): readonly string[] => {
      const known = chains.get(file)
      if (known) return known
      const [longest = []] = (next.get(file) ?? []).map(chainFrom).toSorted((one, other) => other.length - one.length)
      const chain = [file, ...longest]
      chains.set(file, chain)
      return chain
    }
    const tooLong = sources.map(chainFrom).filter((chain) => chain.length > LONGEST_CHAIN)
    expect(tooLong.map((chain) => chain.join(' → '))).toEqual([])
  })

  test('what is loaded late is a door, and each door is opened in one file', () => {
    const late = imports.filter((one) => isLate(one) && one.from !== COMMANDS)
    const opened = late.filter(isOurs).map(({ from, to }) => `${from} → ${to}`)
    expect(opened.toSorted()).toEqual(DOORS.map(({ module, openedBy }) => `${openedBy} → ${module}`).toSorted())
    const packages = late.filter((one) => !isOurs(one))
    expect(packages.filter(({ from, to }) => LATE_PACKAGES[to] !== from).map(({ line }) => line)).toEqual([])
  })

  test('a service imports nothing plainly that lies behind a door', () => {
    const reached = new Set(['index.ts', 'cli/serve-command.ts'])
    for (const file of reached) for (const target of loadedBy(file)) reached.add(target)
    const behind = [...DOORS.map(({ module }) => module), ...Object.keys(LATE_PACKAGES)]
    expect(behind.filter((module) => reached.has(module))).toEqual([])
  })

  test('texts are normalized, and put in order as people do, in base/text.ts alone, where marks are bounded', () => {
    const careless = sources.filter((file) => file !== MAY_NORMALIZE && NORMALIZES.test(codeOf(join(SOURCE, file))))
    expect(careless).toEqual([])
    // It imports nothing, and compares words as they were written.
    const compared = readdirSync(DIFF, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    expect(compared.filter((file) => NORMALIZES.test(codeOf(join(DIFF, file))))).toEqual([])
  })

  test('only the dialects know which databases there are', () => {
    const telling = sources.filter(
      (file) => !MAY_NAME_DATABASES.test(file) && DIALECT_WORDS.test(codeOf(join(SOURCE, file))),
    )
    expect(telling).toEqual([])
  })
})

/** Our files that each of them imports. */
function nextFiles(followed: readonly Import[]): ReadonlyMap<string, readonly string[]> {
  const next = new Map<string, string[]>()
  for (const one of followed.filter(isOurs)) next.set(one.from, [...(next.get(one.from) ?? []), one.to])
  return next
}

/** What a file loads when it is loaded itself: what it imports plainly, but for types. */
function loadedBy(file: string): string[] {
  if (!file.endsWith('.ts')) return []
  const text = readFileSync(join(SOURCE, file), 'utf8')
  const plain = text.matchAll(/^(?:import|export) (?!type )(?:[^'"()=;]*? from )?'([^']+)'/gm)
  return [...plain].map(([, target = '']) =>
    target.startsWith('.') ? relative(SOURCE, resolve(SOURCE, dirname(file), target)) : target,
  )
}

/** A source without its comments. */
function codeOf(path: string): string {
  return readFileSync(path, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}
