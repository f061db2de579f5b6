/** The page of a front end at an address. */
export interface ShownPage {
  readonly status: number
  readonly headers: Headers
  readonly html: string
  /** The addresses of its links, each with its text: `/blog Blog`. */
  readonly links: readonly string[]
  /** The texts of its links that are headings. */
  readonly titles: readonly string[]
  /** The addresses in the first `srcset`. */
  readonly sources: readonly string[]
}

/** Fetches a page of a front end, without following redirects. */
export async function shownPage(url: URL, headers: Readonly<Record<string, string>> = {}): Promise<ShownPage> {
  const response = await fetch(url, { redirect: 'manual', headers })
  const html = await response.text()
  const links = [...html.matchAll(/<a\b[^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)]
  const titles = [...html.matchAll(/<h2[^>]*><a[^>]*>(.*?)<\/a>/gs)]
  const [, sources = ''] = /srcset="([^"]*)"/.exec(html) ?? []
  return {
    status: response.status,
    headers: response.headers,
    html,
    links: links.map(([, href = '', text = '']) => `${href} ${text.replaceAll(/<[^>]*>/g, '').trim()}`),
    titles: titles.map(([, title = '']) => title),
    sources: sources.split(', ').map((source) => source.split(' ')[0] ?? ''),
  }
}
