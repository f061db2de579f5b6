import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quire } from '../../../test/command.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'

test('a file that is no module is reported in words', async () => {
  const folder = await temporaryFolder('quire-module')
  await mkdir(join(folder, 'types'))
  await writeFile(join(folder, 'site.db'), 'x')
  await writeFile(join(folder, 'index.mjs'), "import './types'\n")
  const cases = [
    ['nowhere.ts', 'There is no file nowhere.ts. Name the module of your site with --site.'],
    ['types', 'types is not a file. Name the module of your site with --site.'],
    ['site.db', 'Unknown file extension ".db"'],
    ['index.mjs', 'Directory import '],
  ] as const
  for (const [site, message] of cases) {
    const { code, err } = await quire(folder, ['check', '--site', site])
    expect([code, err]).toEqual([1, expect.stringContaining(`quire: ${message}`)])
    expect(err).not.toContain('    at ')
  }
})
