import type { Context } from '../../engine/context.ts'
import { absoluteUrl } from '../../engine/urls/absolute.ts'
import { withUrls } from '../../engine/urls/collect-urls.ts'
import { visitorsContext } from '../../engine/urls/visitors.ts'

/** The most documents in a section. */
const MOST_LINKS = 500

/**
 * llms.txt (§4.6, llmstxt.org): a title, what the site says of itself, and links to pages and then to the pieces of
 * each type that has pages of its own, at most 500 in each section.
 */
export function llmsText(asked: Context): Promise<string> {
  const { locale } = asked
  return withUrls(visitorsContext(asked), { locales: [locale] }, async (ctx, urlsIn) => {
    const { site } = ctx
    const { title = site.name, summary, details } = site.discovery.llms ?? {}
    const sections = new Map<string, string[]>()
    for await (const listed of urlsIn(locale)) {
      for (const { entry, title, isDocument } of listed) {
        if (!isDocument || entry.sitemap === false || !('type' in entry)) continue
        const links = sections.get(sectionOf(ctx, entry.type)) ?? []
        sections.set(sectionOf(ctx, entry.type), links)
        if (links.length < MOST_LINKS)
          links.push(`- [${escaped(title)}](${target(absoluteUrl(ctx, locale, entry.url))})`)
      }
    }
    const head = [
      `# ${escaped(title)}`,
      ...(summary === undefined ? [] : [`> ${summary}`]),
      ...(details ? [details] : []),
    ]
    const parts = [...sections].map(([name, links]) => `## ${escaped(name)}\n\n${links.join('\n')}`)
    return `${[...head, ...parts].join('\n\n')}\n`
  })
}

function sectionOf({ site }: Context, typeName: string): string {
  const type = site.types.get(typeName)
  return type?.family === 'piece' ? type.pluralLabel : 'Pages'
}

/** A text in one line of Markdown that means nothing but itself. */
function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\[\]<>*_`#]/g, '\\$&')
}

/** A URL as the target of a link of Markdown. */
function target(url: string): string {
  return url.replaceAll('(', '%28').replaceAll(')', '%29')
}
