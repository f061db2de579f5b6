import type { Browser, BrowserContext, Page, Route } from 'playwright-core'

/** The page that fragments are put into: it is made by the browser of the tests. */
export const EMPTY = '/-/empty'

/** A page that is watched: whatever runs in it, or is asked for elsewhere, is noticed. */
export interface Watched {
  readonly page: Page
  /** What was noticed since the last call, and what in the page now could still run. */
  findings(): Promise<string[]>
  /** Puts HTML into an empty page as front ends do, and reads it back once: parsers differ from writers. */
  show(markup: string): Promise<string[]>
  /** Opens a file as a page of its own, without the headers that protect it. */
  open(file: string, contentType: string): Promise<string[]>
}

/**
 * Opens a page that no policy protects: scripts may run, and `pwn()` records them. Requests to other hosts are refused
 * and noticed. The service's own 404s for pictures that are none are spared.
 */
export async function watch(browser: Browser, address: string): Promise<Watched> {
  const context = await browser.newContext({ bypassCSP: true })
  const noticed: string[] = []
  await prepare(context, address, noticed)
  const page = await context.newPage()
  page.on('dialog', (dialog) => {
    noticed.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', ({ message }) => noticed.push(`a script that fails: ${message}`))
  page.on('popup', () => noticed.push('a new window'))
  const findings = async () => {
    const latent = (await page.evaluate(INSPECT)) as string[]
    return [...new Set([...noticed.splice(0), ...latent])]
  }
  return {
    page,
    findings,
    async show(markup) {
      if (new URL(page.url(), address).pathname !== EMPTY) await page.goto(address + EMPTY)
      await page.evaluate(`(markup => {
        const root = document.getElementById('root')
        root.innerHTML = markup
        root.innerHTML = root.innerHTML
      })(${JSON.stringify(markup)})`)
      return await findings()
    },
    async open(body, contentType) {
      await page.route(`**${EMPTY}/file`, (route) => route.fulfill({ contentType, body }))
      await page.goto(`${address}${EMPTY}/file`)
      await page.unroute(`**${EMPTY}/file`)
      return await findings()
    },
  }
}

async function prepare(context: BrowserContext, address: string, noticed: string[]): Promise<void> {
  await context.exposeBinding('noticed', (_source, what: unknown) => void noticed.push(String(what)))
  await context.addInitScript(`
    window.pwn = window.alert = window.confirm = window.prompt = () => window.noticed('a script that ran')`)
  await context.route('**/*', (route) => serve(route, address, noticed))
}

async function serve(route: Route, address: string, noticed: string[]): Promise<void> {
  const request = route.request()
  const url = new URL(request.url())
  const isPicture = request.resourceType() === 'image' || request.resourceType() === 'media'
  // A picture may have the address of a letter: then there is none.
  if (isPicture && url.protocol === 'mailto:') return await route.abort()
  if (url.origin !== address) {
    noticed.push(`asked for ${url.protocol}//${url.host}`)
    return await route.abort()
  }
  if (url.pathname === EMPTY) {
    return await route.fulfill({ contentType: 'text/html', body: '<!doctype html><div id="root"></div>' })
  }
  if (isPicture && !url.pathname.startsWith('/uploads/')) return await route.abort()
  return await route.continue()
}

/**
 * Runs in the page: waits for what starts late, and lists what could still run: handlers, addresses of scripts,
 * elements that load (a link to another language does not). What the templates of the tests wrote themselves is marked
 * `data-own`.
 */
const INSPECT = `(async () => {
  const found = []
  // The head names the page in other languages, by links that load nothing.
  const LINK = 'link:not(head > link[rel="alternate"][hreflang])'
  const LOADING = 'script,iframe,frame,object,embed,applet,base,portal,meta[http-equiv=refresh],' + LINK
  const ADDRESSES = new Set(['href', 'src', 'action', 'formaction', 'xlink:href', 'poster', 'data', 'ping', 'background', 'manifest'])
  const inspect = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) inspect(element.shadowRoot)
      if (element.content instanceof DocumentFragment) inspect(element.content)
      if (element.matches(LOADING) && !element.hasAttribute('data-own')) found.push('an element ' + element.localName)
      if (element.localName === 'style' && /@import|url\\(/i.test(element.textContent)) found.push('a style that loads')
      for (const { name, value } of element.attributes) {
        if (/^on/i.test(name)) found.push('a handler ' + name)
        if (/^style$/i.test(name) && /url\\(|expression|@import|image-set/i.test(value)) found.push('a style ' + value)
        if (!ADDRESSES.has(name.toLowerCase())) continue
        let scheme = ''
        try { scheme = new URL(value, 'https://own.example/').protocol } catch {}
        if (!['', 'https:', 'http:', 'mailto:', 'tel:'].includes(scheme)) found.push('an address ' + value)
      }
    }
  }
  inspect(document)
  await new Promise((resolve) => setTimeout(resolve, 50))
  return found
})()`
