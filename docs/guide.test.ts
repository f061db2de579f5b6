import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../cms/src/app.ts'
import type { SiteDeclaration } from '../cms/src/model/compile/site.ts'
import { sample } from '../cms/test/sample.ts'
import { type Serving, serve } from '../example/command.ts'
import { expectShown, makeTools, Terminal, type Tools } from './shell.ts'
import { filesWrittenBy, type Snippet, snippetsOf, type WrittenFile } from './snippets.ts'

// Runs what README.md and the guide show. `sh` blocks are pasted into a shell next to a service with the example's
// content, one shell after the other. What a following `json` block shows must be in the answer of the last one, and
// each line of a `text` block in what was printed; `…` stands for anything. `ts` blocks and TypeScript
// files that `sh` blocks write are type-checked, and the former served when they are whole sites. `console` blocks are not run, but for one that is `quire serve` alone: from there on the
// site of the shell's folder is served, which the `ts` block or the shell before it has written to site.ts. `npm test`
// runs the shells of some of the documents. The first chapter's are run by getting-started.test.ts.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SITE = join(ROOT, 'example/site.ts')
const guides = (await readdir(join(ROOT, 'docs/guide'))).filter((name) => name.endsWith('.md'))
const documents = ['README.md', 'cms/README.md', ...guides.sort().map((name) => `docs/guide/${name}`)]
/** The documents whose shell blocks are run. */
const run = sample(
  documents.filter((name) => name !== 'docs/guide/01-getting-started.md'),
  2,
)

/** The command that makes a `console` block run. */
const SERVE = 'quire serve'

const snippetsIn = new Map<string, readonly Snippet[]>()
for (const name of documents) snippetsIn.set(name, snippetsOf(await readFile(join(ROOT, name), 'utf8')))

let tools: Tools
/** Where the files that are shown are written. */
let sites: string
/** Where the example's content is. */
let filled: string
beforeAll(async () => {
  tools = await makeTools()
  sites = await mkdtemp(join(ROOT, 'docs/snippets-'))
  for (const [path, text] of shownFiles()) {
    await mkdir(join(sites, path, '..'), { recursive: true })
    await writeFile(join(sites, path), `${text}\n`)
  }
  filled = await mkdtemp(join(tmpdir(), 'quire-guide-'))
  await (await serve(filled, SITE)).stop()
}, 60_000)
afterAll(async () => {
  await tools.remove()
  await rm(sites, { recursive: true })
  await rm(filled, { recursive: true })
})

describe.each(documents)('%s', (name) => {
  const snippets = snippetsIn.get(name) ?? []
  let folder: string
  let service: Serving | undefined
  beforeAll(async () => {
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
    const terminal = new Terminal(folder, tools, { QUIRE_SITE: SITE, NODE_OPTIONS: '--conditions=quire-source' })
    let answer = ''
    for (const [index, snippet] of snippets.entries()) {
      const place = `${name}:${snippet.line}`
      if (snippet.language === 'sh') answer = await terminal.paste(snippet.text, place, service?.address)
      else if (snippet.text === SERVE) {
        await service?.stop()
        service = await serveHere(terminal, snippets[index - 1], place)
      } else expectShown(snippet, answer, place)
    }
  })

  test('every site that is shown can be served', async () => {
    for (const { language, line } of snippets) {
      if (language !== 'ts') continue
      const { site } = (await import(join(sites, `${placeOf(name, line)}.ts`))) as { readonly site?: SiteDeclaration }
      if (site === undefined) continue
      const app = await createApp(site, { database: `sqlite:${join(folder, `${line}.db`)}` })
      await app.close()
    }
  })
})

test('all TypeScript that is shown is well typed, but for what is shown as wrong', async () => {
  // What was checked before is not checked again.
  const cache = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/check.tsbuildinfo']
  const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', ...cache, '--checkers', '1']
  const out = await new Promise<string>((resolve) => {
    execFile(process.execPath, tsc, { cwd: ROOT }, (_, out) => resolve(out))
  })
  // Mistakes elsewhere in the repository are reported by the type check itself.
  expect(shownFiles().length).toBeGreaterThan(50)
  const mistakes = out.split('\n').filter((line) => line.startsWith(relative(ROOT, sites)))
  const isWrong = (line: string) => shownAsWrong().some((place) => line.includes(place))
  expect(mistakes.filter((line) => !isWrong(line))).toEqual([])
  for (const place of shownAsWrong()) expect(mistakes.join('\n')).toContain(place)
})

const placeOf = (name: string, line: number) => `${name.replaceAll(/\W/g, '-')}-${line}`

/** The TypeScript that is shown, and the files that earlier shell blocks have written. */
function shownFiles(): WrittenFile[] {
  return [...snippetsIn].flatMap(([name, snippets]) => {
    const there = new Map<string, string>()
    return snippets.flatMap((snippet): readonly WrittenFile[] => {
      const place = placeOf(name, snippet.line)
      if (snippet.language === 'ts') return [[`${place}.ts`, snippet.text]]
      const written = filesWrittenBy(snippet)
      for (const [path, text] of written) there.set(path, text)
      return written.length === 0 ? [] : [...there].map(([path, text]) => [`${place}/${path}`, text] as const)
    })
  })
}

/** The places of shells whose command is shown to fail. */
function shownAsWrong(): string[] {
  return [...snippetsIn].flatMap(([name, snippets]) =>
    snippets
      .filter((snippet) => filesWrittenBy(snippet).length > 0 && snippet.text.endsWith('|| true'))
      .map(({ line }) => placeOf(name, line)),
  )
}

/** Serves the site of the folder where the reader is, as written by the block before. */
async function serveHere(terminal: Terminal, before: Snippet | undefined, place: string): Promise<Serving> {
  const folder = (await terminal.paste('export QUIRE_SITE=site.ts; pwd', place)).trim()
  if (before?.language === 'ts') await writeFile(join(folder, 'site.ts'), before.text)
  return await serve(folder, 'site.ts')
}
