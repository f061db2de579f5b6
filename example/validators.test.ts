import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { HtmlValidate } from 'html-validate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CrawledPage, crawl } from '../cms/test/crawled.ts'
import { isWhole } from '../cms/test/sample.ts'
import { serve } from './command.ts'

// What two foreign validators say of all pages. They run in `npm run test:all`.

const run = promisify(execFile)
/** Installed when it is needed, and without its script, which would fetch a Java from elsewhere. */
const VNU = 'vnu-jar@26.9.27'
const VNU_FOLDER = fileURLToPath(new URL('../node_modules/.cache/vnu', import.meta.url))
const CHECKER = join(VNU_FOLDER, 'node_modules/vnu-jar/build/dist/vnu.jar')
const hasJava = await run('java', ['-version']).then(
  () => true,
  () => false,
)

/** Their rules; what they say of style alone is ours. */
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    'doctype-style': ['error', { style: 'lowercase' }],
    // Styles of widgets, colours and focal points are values of content.
    'no-inline-style': 'off',
    // Nunjucks leaves spaces where its tags were.
    'no-trailing-whitespace': 'off',
  },
})

const SITES = [
  { name: 'the magazine', site: './site.ts', from: ['/', '/fr/', '/nowhere', '/search?q=river'], least: 100 },
  { name: 'the festival', site: '../create/templates/festival/site.ts', from: ['/', '/nowhere'], least: 8 },
  { name: 'an empty site', site: '../create/templates/empty/site.ts', from: ['/', '/nowhere'], least: 2 },
]

describe.runIf(isWhole).each(SITES)('every page of $name', { timeout: 300_000 }, ({ site, from, least }) => {
  let folder: string
  let pages: CrawledPage[]
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-validated-'))
    const service = await serve(folder, fileURLToPath(new URL(site, import.meta.url)))
    pages = await crawl(service.address, from).finally(() => service.stop())
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('has no errors by html-validate', async () => {
    expect(pages.length).toBeGreaterThanOrEqual(least)
    const wrong: string[] = []
    for (const { path, html } of pages) {
      const { results } = await validator.validateString(html)
      for (const { ruleId, line, message } of results.flatMap(({ messages }) => messages))
        wrong.push(`${path}:${line} ${ruleId}: ${message}`)
    }
    expect(wrong).toEqual([])
  })

  test('has no errors by the Nu Html Checker', async ({ skip }) => {
    if (!hasJava) {
      console.log('The Nu Html Checker was not run: there is no Java here.')
      skip()
    }
    if (!existsSync(CHECKER))
      await run('npm', ['install', '--prefix', VNU_FOLDER, '--ignore-scripts', '--no-save', VNU])
    const files = join(folder, 'pages')
    await mkdir(files)
    for (const [index, { path, html }] of pages.entries())
      await writeFile(join(files, `${index}.html`), html.replace('<head>', `<head><!-- ${path} -->`))
    const { stdout, stderr } = await run('java', ['-jar', CHECKER, '--errors-only', files]).catch((error) => error)
    expect(stdout + stderr).toBe('')
  })
})
