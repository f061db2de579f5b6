import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../cms/src/app.ts'
import type { SiteDeclaration } from '../cms/src/model/site.ts'
import { sample } from '../cms/test/sample.ts'
import { paste, QUIRE, type Serving, serve } from '../example/command.ts'
import { missing, type Snippet, snippetsOf } from './snippets.ts'

// Runs what README.md and the guide show. `sh` blocks are pasted into a shell beside a service with the example's
// content, one shell after the other. What a following `json` block shows must be in the answer of the last one, and
// each line of a `text` block in what was printed; `…` stands for anything. `ts` blocks are type-checked, and served
// when they are whole sites. `console` blocks are not run. `npm test` runs the shells of some of the documents.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SITE = join(ROOT, 'example/site.ts')
const guides = (await readdir(join(ROOT, 'docs/guide'))).filter((name) => name.endsWith('.md'))
const documents = ['README.md', ...guides.sort().map((name) => `docs/guide/${name}`)]
/** Those whose shells are run. */
const run = sample(documents, 2)

let tools: string
let sites: string
/** Where the example's content is. */
let filled: string
beforeAll(async () => {
  tools = await mkdtemp(join(tmpdir(), 'quire-tools-'))
  await writeFile(join(tools, 'curl'), `#!/bin/sh\nPATH="$TOOLS_PATH" exec curl -sS "$@"\n`, { mode: 0o755 })
  await writeFile(join(tools, 'quire'), `#!/bin/sh\nexec '${process.execPath}' '${QUIRE}' "$@"\n`, { mode: 0o755 })
  sites = await mkdtemp(join(ROOT, 'docs/snippets-'))
  filled = await mkdtemp(join(tmpdir(), 'quire-guide-'))
  await (await serve(filled, SITE)).stop()
}, 60_000)
afterAll(async () => {
  await rm(tools, { recursive: true })
  await rm(sites, { recursive: true })
  await rm(filled, { recursive: true })
})

describe.each(documents)('%s', (name) => {
  let snippets: Snippet[]
  let folder: string
  let service: Serving | undefined
  beforeAll(async () => {
    snippets = snippetsOf(await readFile(join(ROOT, name), 'utf8'))
    folder = await mkdtemp(join(tmpdir(), 'quire-guide-'))
    await cp(filled, folder, { recursive: true })
    await mkdir(join(folder, 'node_modules'))
    await symlink(join(ROOT, 'cms'), join(folder, 'node_modules/quire-cms'))
  })
  afterAll(async () => {
    await service?.stop()
    await rm(folder, { recursive: true })
  })

  test.runIf(run.includes(name))('every line that is shown works as shown', async () => {
    if (snippets.some(({ language }) => language === 'sh')) service = await serve(folder, SITE)
    let answer = ''
    for (const { language, text, line } of snippets) {
      const place = `${name}:${line}`
      if (language === 'sh') answer = await pasted(text, place)
      if (language === 'json') expect(missing(JSON.parse(text), parsed(answer, place)), place).toEqual([])
      if (language === 'text') expectLines(text, answer, place)
    }
  })

  test('every site that is shown can be served', async () => {
    for (const { language, text, line } of snippets) {
      if (language !== 'ts') continue
      const file = join(sites, `${name.replaceAll(/\W/g, '-')}-${line}.ts`)
      await writeFile(file, `${text}\n`)
      const { site } = (await import(file)) as { readonly site?: SiteDeclaration }
      if (site === undefined) continue
      const app = await createApp(site, { database: `sqlite:${join(folder, `${line}.db`)}` })
      await app.close()
    }
  })

  /** Runs a block in a shell that knows what the shells before it have defined, in the folder where they were. */
  async function pasted(text: string, place: string): Promise<string> {
    const state = join(folder, 'shell-state')
    const script = `[ -f '${state}' ] && . '${state}'\nset -e\n${text.replaceAll('http://localhost:3000', service?.address ?? '')}\n{ pwd | sed 's/^/cd /'; declare -p KEY ID ETAG TOKEN RUN FIRST QUIRE_SITE; declare -f; } > '${state}' 2>/dev/null || true`
    const PATH = `${tools}:${process.env.PATH ?? ''}`
    const { code, out, err } = await paste(script, folder, {
      PATH,
      TOOLS_PATH: process.env.PATH ?? '',
      QUIRE_SITE: SITE,
    })
    expect({ code, err: code === 0 ? '' : err }, place).toEqual({ code: 0, err: '' })
    return out + err
  }
})

test('all sites that are shown are well typed', async () => {
  const config = join(sites, 'tsconfig.json')
  await writeFile(config, JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }))
  const out = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config, '--checkers', '1'],
      (_, out) => resolve(out),
    )
  })
  // Mistakes elsewhere in the repository are reported by the type check itself.
  expect(out.split('\n').filter((line) => line.includes('docs/snippets-'))).toEqual([])
})

function parsed(answer: string, place: string): unknown {
  try {
    return JSON.parse(answer.slice(Math.max(0, answer.search(/^\{/m))))
  } catch {
    throw new Error(`${place}: the answer before it is no JSON: ${answer.slice(0, 300)}`)
  }
}

function expectLines(text: string, answer: string, place: string): void {
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const parts = line
      .trim()
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    expect(answer, place).toMatch(new RegExp(parts.join('.*'), 'i'))
  }
}
