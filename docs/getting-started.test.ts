import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { pack } from '../cms/test/installed.ts'
import { type Serving, serve } from '../example/command.ts'
import { expectShown, makeTools, Terminal } from './shell.ts'
import { snippetsOf } from './snippets.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CHAPTER = 'docs/guide/01-getting-started.md'

/** `npm create quire` runs what this repository would publish, and finds what `npm install` would fetch. */
async function npmWith(folder: string): Promise<string> {
  const { tarball } = await pack('create-quire', folder)
  await promisify(execFile)('tar', ['-xzf', tarball, '-C', folder])
  const create = `'${process.execPath}' '${join(folder, 'package/bin/create-quire.js')}' "$site" "$@" --no-install`
  return [
    '[ "$1 $2" = "create quire" ] || exec npm "$@"',
    'site=$3; shift 4',
    `${create} && ln -s '${join(ROOT, 'node_modules')}' "$site/node_modules"`,
  ].join('\n')
}

test('every line of the first chapter works as shown, from nothing', async () => {
  const below = await mkdtemp(join(tmpdir(), 'quire-first-'))
  onTestFinished(() => rm(below, { recursive: true }))
  const tools = await makeTools({ npm: await npmWith(below) })
  onTestFinished(() => tools.remove())
  const folder = join(below, 'kitchen')
  const terminal = new Terminal(below, tools, { NODE_OPTIONS: '--conditions=quire-source' })
  let service: Serving | null = null
  onTestFinished(async () => void (await service?.stop()))
  let answer = ''
  for (const snippet of snippetsOf(await readFile(join(ROOT, CHAPTER), 'utf8'))) {
    const { language, text, line } = snippet
    const place = `${CHAPTER}:${line}`
    if (language === 'sh') answer = await terminal.paste(text, place, service?.address)
    else if (language === 'ts') await writeFile(join(folder, 'site.ts'), text)
    else if (text === 'npm run dev') service = await serve(folder, 'site.ts')
    else expectShown(snippet, answer, place)
  }
  expect(service).not.toBeNull()
}, 180_000)
