import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DIST } from './paths.ts'

/** Writes the names and the licences of the libraries that these modules belong to. */
export async function writeLicences(modules: readonly string[]): Promise<void> {
  const folders = modules.flatMap((module) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module)?.[0] ?? [])
  const notices = await Promise.all([...new Set(folders)].toSorted().map(noticeOf))
  const heading = 'The files of this folder contain the following libraries.'
  await writeFile(join(DIST, 'LICENSES.txt'), [heading, ...notices].join(`\n\n${'-'.repeat(80)}\n\n`))
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each))
  const text = file === undefined ? '' : `\n\n${(await readFile(join(folder, file), 'utf8')).trim()}`
  return `${name} ${version} (${license})${text}`
}
