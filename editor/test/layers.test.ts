import { describe, expect, test } from 'vitest'
import { codeOf, type Import, importsOf, sources } from './sources.ts'

/** The folders below `src`, lowest first; a file imports its own level or a lower one. */
const LEVELS = [
  ['base'],
  ['words', 'model', 'inside'],
  ['data', 'ui'],
  ['fields', 'blocks', 'rich-text'],
  ['screens'],
  ['app', 'main.tsx'],
] as const
/** Style sheets, which every level may import. */
const STYLES = 'styles'
/** What screens have in common. */
const SHARED_SCREENS = 'parts'
/** Packages, and the only files that name them. */
const LIBRARIES: readonly (readonly [RegExp, RegExp])[] = [
  [/^prosemirror-/, /^rich-text\//],
  [/^@atlaskit\/pragmatic-drag-and-drop/, /^ui\/drag\.ts$/],
  [/^@tanstack\/virtual-core$/, /^ui\/use-virtual-rows\.ts$/],
  [/^@tanstack\/query-core$/, /^data\//],
]
const MAY_WRITE_HTML = /^(ui\/safe-html\.tsx|rich-text\/.*)$/

const imports = sources.flatMap(importsOf)
const ours = imports.filter(({ to }) => /\.tsx?$/.test(to))
const told = (found: readonly Import[]) => found.map(({ line }) => line)

const folderOf = (file: string) => file.split('/')[0] ?? ''
const levelOf = (file: string) => LEVELS.findIndex((folders) => folders.some((folder) => folder === folderOf(file)))
/** The screen that a file belongs to; undefined for other files. */
const screenOf = (file: string) => (file.startsWith('screens/') ? file.split('/')[1] : undefined)

describe('editor: layers', () => {
  test('a file imports its own level or a lower one', () => {
    expect(told(ours.filter(({ from, to }) => levelOf(to) > levelOf(from)))).toEqual([])
  })

  test('every folder has its level', () => {
    expect([...new Set(sources.map(folderOf))].filter((folder) => folder !== STYLES && levelOf(folder) < 0)).toEqual([])
  })

  test('a screen imports no other screen', () => {
    const across = ours.filter(({ from, to }) => {
      const [screen, other] = [screenOf(from), screenOf(to)]
      return screen !== undefined && other !== undefined && other !== screen && other !== SHARED_SCREENS
    })
    expect(told(across)).toEqual([])
  })

  test('only data/ sends requests; others know the types of the client', () => {
    const values = imports.filter(({ from, to, isOfTypes }) => {
      return /^quire-client/.test(to) && !isOfTypes && !from.startsWith('data/')
    })
    expect(told(values)).toEqual([])
  })

  test('the model and the base need no browser', () => {
    const drawing = imports.filter(({ from, to }) => levelOf(from) <= 1 && /^(@preact\/signals|preact.*)$/.test(to))
    expect(told(drawing)).toEqual([])
  })

  test('a library is named where it belongs', () => {
    const elsewhere = imports.filter(({ from, to }) =>
      LIBRARIES.some(([library, place]) => library.test(to) && !place.test(from)),
    )
    expect(told(elsewhere)).toEqual([])
  })

  test('no import goes in a circle, not even of types', () => {
    const next = Map.groupBy(ours, ({ from }) => from)
    const done = new Set<string>()
    const circles: string[] = []
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (path.includes(file) || done.has(file)) return
      for (const { to } of next.get(file) ?? []) visit(to, [...path, file])
      done.add(file)
    }
    for (const file of sources) visit(file, [])
    expect(circles).toEqual([])
  })

  test('HTML is written in one place, and by rich text', () => {
    const writing = /\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|setHTMLUnsafe)\b/
    expect(sources.filter((file) => !MAY_WRITE_HTML.test(file) && writing.test(codeOf(file)))).toEqual([])
  })
})
