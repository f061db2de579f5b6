import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { markdownTable } from './table.ts'

// `npx node bench/types.ts`: how long the compiler takes to check a site, by the declarations that are published. Build
// them first: `npm run build -w quire-cms`.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const RUNS = 5
const TARGET_SECONDS = 3

const times = (count: number, write: (index: number) => string) => Array.from({ length: count }, (_, i) => write(i))

/** A piece type with ten fields: an area of ten widget types, and relationships that lead round in circles. */
const pieceType = (index: number, { pieces, widgets }: Size) => `const type${index} = piece('type${index}', {
  publicApiProjection: ['title', 'lead', '_next', 'body'],
  sort: { day: -1 },
  fields: { add: {
    lead: { type: 'string', max: 200 },
    section: { type: 'select', choices: ['news', 'essay', 'portrait', { value: 'other', label: 'Other' }], def: 'news' },
    day: { type: 'date', required: true },
    words: { type: 'integer', if: { section: 'news' } },
    tags: { type: 'checkboxes', choices: ['red', 'green', 'blue'] },
    body: { type: 'area', widgets: { '@cms/rich-text': {}, '@cms/image': {}, ${times(10, (i) => `widget${(index + i) % widgets}: {}`).join(', ')} } },
    links: { type: 'array', titleField: 'label', fields: { add: { label: { type: 'string', required: true }, to: { type: 'url' } } } },
    _image: { type: 'relationship', withType: '@cms/image', max: 1 },
    _next: { type: 'relationship', withType: 'type${(index + 1) % pieces}', withRelationships: ['_next', '_back'] },
    _back: { type: 'relationship', withType: 'type${(index + pieces - 1) % pieces}', withRelationships: true },
  } },
})
`

const widgetType = (index: number, { pieces, widgets }: Size) => `const widget${index} = widget('widget${index}', {
  fields: { add: {
    heading: { type: 'string', required: true },
    tone: { type: 'select', choices: ['soft', 'loud'] },
    inner: { type: 'area', widgets: { widget${(index + 7) % widgets}: {}, '@cms/rich-text': {} } },
    _one: { type: 'relationship', withType: 'type${index % pieces}', withRelationships: ['_next'] },
  } },
  styles: { add: { padding: 'padding', ink: { type: 'color', property: 'color' } } },
})
`

const templateOf = (index: number) => `export const index${index} = templates.index('page${index}', {
  render: ({ page, pieces }) => html\`\${page.intro}\${pieces.map((one) => one._next.map((next) => next._back[0]?.lead))}\`,
})
export const show${index} = templates.show('page${index}', {
  data: async (ctx, { piece }) => (await findPieces(ctx, 'type${index}', { section: 'essay', sort: { day: -1 } })).results,
  render: ({ piece, home, global }, { data }) => html\`\${piece.lead}\${home?._children.map(({ title }) => title)}\${global.motto}
    \${piece.body.items.map((item) => (item.type === 'widget${index}' ? item._one[0]?._next[0]?.lead : item.type))}\${data[0]?.section}\`,
})
`

const widgetTemplate = (index: number) => `export const view${index} = templates.widget('widget${index}', {
  render: ({ heading, inner, _one }, scene) => html\`\${heading}\${scene.area(inner)}\${_one[0]?._next[0]?.title}\`,
})
`

const calls = (
  index: number,
) => `  await content.find('type${index}', { section: ['news', 'essay'], words: { min: 3 }, sort: '-day', project: { title: 1 } })
  const made${index} = await content.insert('type${index}', { title: 'A', day: '2026-01-01', links: [{ label: 'x' }],
    body: { items: [{ type: 'widget${index}', heading: 'x' }] } })
  await content.patch('type${index}', made${index}._id, { $push: { tags: 'red' }, 'links.0.label': 'y', lead: made${index}._next[0]?.lead ?? null })
`

interface Size {
  readonly pieces: number
  readonly widgets: number
  readonly pages: number
}

const SIZES: readonly Size[] = [
  { pieces: 3, widgets: 10, pages: 1 },
  { pieces: 20, widgets: 60, pages: 20 },
]

function siteOf(size: Size): string {
  const { pieces, widgets, pages } = size
  return `import { createApp, defineSite, findPieces, html, page, piece, templatesFor, widget, withTemplates } from 'quire-cms'
${times(pieces, (i) => pieceType(i, size)).join('')}${times(widgets, (i) => widgetType(i, size)).join('')}
${times(pages, (i) => `const page${i} = page('page${i}', { piecesType: 'type${i}', fields: { add: { intro: { type: 'string' } } } })\n`).join('')}
const model = defineSite({
  locales: { en: { label: 'English' }, de: { label: 'Deutsch', prefix: '/de' } },
  types: [${times(pieces, (i) => `type${i}`)}${times(pages, (i) => `, page${i}`).join('')}],
  widgets: [${times(widgets, (i) => `widget${i}`)}],
  global: { fields: { add: { motto: { type: 'string' } } } },
})
const templates = templatesFor<typeof model>()
${times(pages, templateOf).join('')}${times(widgets, widgetTemplate).join('')}
export const site = withTemplates(model, [${times(pages, (i) => `index${i}, show${i}, `).join('')}${times(widgets, (i) => `view${i}, `).join('')}])
export async function calls() {
  const content = (await createApp(site, { database: ':memory:' })).as({ role: 'editor', name: 'Import' })
${times(pages, calls).join('')}}
`
}

/** Seconds by the clock, and of processor time: the best of several runs, since others use the machine, too. */
async function check(folder: string, size: Size): Promise<readonly [number, number]> {
  await writeFile(join(folder, 'site.ts'), siteOf(size))
  const runs = Array.from({ length: RUNS }, () => checkOnce(folder))
  return [Math.min(...runs.map(({ real }) => real)), Math.min(...runs.map(({ cpu }) => cpu))]
}

function checkOnce(folder: string): { readonly real: number; readonly cpu: number } {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const timed = ['-c', 'TIMEFORMAT="%R %U %S"; time "$0" "$@"', process.execPath, compiler, '-p', folder]
  const { status, stdout, stderr } = spawnSync('bash', timed, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stdout)
  const [real = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number)
  return { real, cpu: user + system }
}

const folder = await mkdtemp(join(ROOT, 'bench/types-'))
try {
  const compilerOptions = { strict: true, target: 'es2024', module: 'nodenext', types: ['node'], noEmit: true }
  const exact = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true }
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...exact }, files: ['site.ts'] }),
  )
  const rows: string[][] = []
  for (const size of SIZES) {
    const [real, cpu] = await check(folder, size)
    rows.push([`${size.pieces + size.pages}`, `${size.widgets}`, real.toFixed(1), cpu.toFixed(1)])
    if (cpu > TARGET_SECONDS) process.exitCode = 1
  }
  console.log(markdownTable(['types', 'widgets', 'seconds', 'processor seconds'], rows))
} finally {
  await rm(folder, { recursive: true })
}
