/** A page that a crawl has found. */
export interface CrawledPage {
  readonly path: string
  readonly html: string
}

/** All pages of a site that links lead to, from these paths on; each query of a page counts as one. */
export async function crawl(address: string, from: readonly string[]): Promise<CrawledPage[]> {
  const found: CrawledPage[] = []
  const seen = new Set(from)
  for (const path of seen) {
    const response = await fetch(address + path)
    const html = await response.text()
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue
    found.push({ path, html })
    for (const link of linksIn(html, address + path)) seen.add(link)
  }
  return found
}

function linksIn(html: string, base: string): string[] {
  const urls = [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(
    ([, href = '']) => new URL(href.replaceAll('&amp;', '&'), base),
  )
  const here = urls.filter(
    ({ origin, pathname }) => origin === new URL(base).origin && !/^\/(uploads|api)\//.test(pathname),
  )
  return here.map(({ pathname, search }) => pathname + search)
}
