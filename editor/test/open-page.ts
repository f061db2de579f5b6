import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Test</title><link rel="stylesheet" href="/page.css">
<main><h1>Text</h1><button>Before</button><div id="host"></div><button>After</button></main><script type="module" src="/page.js"></script>`

/** As strict as that of the editor. */
const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'",
  "require-trusted-types-for 'script'; trusted-types quire",
].join(';')

/** A module of this folder as the editor's files are built. */
export interface Built {
  readonly script: string
  readonly styles: string
}

/** Builds a module with all that it imports into one script and one style sheet. */
export async function built(name: string): Promise<Built> {
  const entry = fileURLToPath(new URL(name, import.meta.url))
  const results = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['quire-source', 'module', 'browser', 'production'] },
    build: {
      write: false,
      target: 'es2024',
      minify: true,
      lib: { entry, formats: ['iife'], name: 'page', fileName: 'page', cssFileName: 'page' },
    },
  })
  const output = [results].flat().flatMap((result) => ('output' in result ? result.output : []))
  const sources = output.map((file) => (file.type === 'chunk' ? file.code : file.source.toString()))
  const isScript = output.map(({ type }) => type === 'chunk')
  return {
    script: sources.find((_, index) => isScript[index]) ?? '',
    styles: sources.find((_, index) => !isScript[index]) ?? '',
  }
}

/** Opens a page with a built module. What goes wrong in it is added to `problems`. */
export async function openPage(browser: Browser, { script, styles }: Built, problems: string[]): Promise<Page> {
  const page = await browser.newPage()
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === '/page.js') return route.fulfill({ contentType: 'text/javascript', body: script })
    if (pathname === '/page.css') return route.fulfill({ contentType: 'text/css', body: styles })
    if (pathname === '/')
      return route.fulfill({ contentType: 'text/html', body: PAGE, headers: { 'content-security-policy': POLICY } })
    return route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' })
  })
  await page.goto('http://localhost/')
  return page
}
