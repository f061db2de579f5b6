import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../cms/test/temporary-folder.ts'
import { type Figure, sourceFigures } from './shape/figures.ts'
import { readSourceFiles } from './shape/source-files.ts'

const SOURCES: Readonly<Record<string, string>> = {
  'main.ts': "import { part } from './rooms/part.ts'\nexport const late = () => import('./rooms/late.ts')\n",
  'doors.ts': "export const late = () => import('./rooms/late.ts')\n",
  'rooms/part.ts': "import { sliver } from './sliver.ts'\nimport { used } from './used.ts'\n",
  'rooms/late.ts': "import { used } from './used.ts'\nexport const hash = () => import('argon2')\n",
  'rooms/sliver.ts': "type Named = import('./part-of-sliver.ts').Named\nexport interface Sliver {}\n",
  'rooms/part-of-sliver.ts': `export type Named = string\n${'// A comment.\n'.repeat(59)}`,
  'rooms/used.ts': 'export function used(one, two, three, four) {\n  return [one].map((a, b, c, d) => d)\n}\n',
  'other/part.ts': 'export class Part {\n  three(this: Part, one, two, three) {}\n}\n',
  'other/test-part.ts': "import { part } from '../rooms/sliver.ts'\n",
  'other/part.test.ts': "import { part } from '../rooms/sliver.ts'\n",
}

describe('the shape of sources', () => {
  let folder = ''
  let figures: readonly Figure[] = []
  const figure = (name: string) => figures.find((one) => one.name.startsWith(name))
  beforeAll(async () => {
    folder = await temporaryFolder('quire-shape')
    for (const [path, text] of Object.entries(SOURCES)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    figures = sourceFigures(readSourceFiles(folder), 'doors.ts')
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('tests and what they use are not counted', () => {
    expect(figure('files')?.now).toBe(8)
    expect(figure('lines')?.now).toBe(2 + 1 + 2 + 2 + 2 + 60 + 3 + 3)
  })

  test('a sliver is short, and imported by one file of its folder alone', () => {
    expect(figure('slivers')?.listed).toEqual(['2 rooms/sliver.ts ← part.ts'])
  })

  test('the longest chain follows types and late imports', () => {
    const chain = ['main.ts', 'rooms/part.ts', 'rooms/sliver.ts', 'rooms/part-of-sliver.ts']
    expect(figure('longest chain')).toMatchObject({ now: 4, listed: chain })
  })

  test('late imports belong into one file', () => {
    expect(figure('modules that are imported late')?.listed).toEqual(['2 rooms/late.ts'])
    expect(figure('places of late imports outside')?.listed).toEqual(['main.ts:2 → rooms/late.ts'])
    expect(figure('places of late imports of packages')?.listed).toEqual(['rooms/late.ts:2 → argon2'])
  })

  test('functions with a name are counted, with the parameters that callers give', () => {
    expect(figure('functions of four')?.listed).toEqual(['4 used rooms/used.ts:1'])
    expect(figure('lines of the longest function')?.now).toBe(3)
  })

  test('names of files are unique, and exported types are counted', () => {
    expect(figure('file names')?.listed).toEqual(['part.ts: other, rooms'])
    expect(figure('exported types')?.listed).toEqual(['1 rooms/part-of-sliver.ts', '1 rooms/sliver.ts'])
  })
})
