import type { JobRequest } from '../children.ts'
import { rows } from '../rows.ts'
import { type Samples, spread } from '../samples.ts'

/** Requests of one kind, some of each. */
export interface Question {
  readonly name: string
  readonly requests: readonly JobRequest[]
  readonly headers: Readonly<Record<string, string>>
}

const OF_EACH = 3

/** All reads of the benchmark, and every other way to list documents; the sorts and filters that a site may send. */
export function questions(samples: Samples): readonly Question[] {
  const byKey = { authorization: `ApiKey ${samples.key}` }
  const reads = rows.filter(({ kind }) => kind === 'read')
  return [
    ...reads.map((row) => ({
      name: row.name,
      requests: spread(row.requests(samples, 0, 0), OF_EACH).map((request) => ({ ...request })),
      headers: { ...row.headers?.(samples), 'content-type': 'application/json' },
    })),
    ...Object.entries(others(samples)).map(([name, paths]) => ({
      name,
      requests: paths.map((path) => ({ method: 'GET' as const, path: `/api/v1/${path}` })),
      headers: byKey,
    })),
  ]
}

function others({ articles, topics, images, pages }: Samples): Readonly<Record<string, readonly string[]>> {
  const [article, topic, image, page] = [articles.at(-1)?.id, topics.at(-1)?.id, images.at(-1)?.id, pages.at(-1)]
  const word = articles.at(-1)?.title.split(' ')[0]
  const both = ['', '-']
  const orders = ['title', 'slug', 'createdAt', 'updatedAt', 'lastPublishedAt', 'minutes', 'section', 'subtitle']
  return {
    sorts: both.flatMap((sign) => orders.map((name) => `article?sort=${sign}${name}&page=20`)),
    'drafts, archived ones, other locales': [
      'article?aposMode=draft',
      'article?archived=true',
      'article?archived=any',
      'article?aposLocale=de&page=3',
      'article?aposLocale=fr&sort=title',
      'kind3?aposLocale=de',
    ],
    'filters by columns': [
      'article?createdAt[$gte]=2026-11-01',
      'article?updatedAt[$between][]=2026-11-01&updatedAt[$between][]=2026-11-02',
      'article?lastPublishedAt[$exists]=false',
      `article?slug[$startsWith]=${word?.slice(0, 4).toLowerCase()}`,
    ],
    'filters by fields': [
      'article?section=news',
      'article?section[$ne]=news&minutes[$lt]=20',
      `article?subtitle[$startsWith]=${word?.slice(0, 3).toLowerCase()}`,
      'article?minutes=7&section=essay&sort=title',
    ],
    'by relationship': [
      `article?_topics=${topic}`,
      `article?_image=${image}`,
      `article?_topicsAnd[]=${topic}&_topicsAnd[]=${topics[0]?.id}`,
      `article?_topics.title[$startsWith]=b`,
    ],
    'choices and counts': ['article?choices=section,minutes', 'article?counts=section,_topics', 'article?counts=state'],
    states: ['published', 'modified', 'draft', 'archived'].map((state) => `article?state=${state}`),
    'by editor': ['article?updatedBy=nobody', '@cms/documents?updatedBy=nobody'],
    search: [
      `article?search=${word}&sort=title`,
      `article?search=${word}&section=news`,
      `article?autocomplete=${word?.slice(0, 2)}`,
    ],
    'all types': [
      '@cms/documents',
      '@cms/documents?page=50',
      '@cms/documents?sort=title',
      '@cms/documents?counts=type,state',
      '@cms/documents?types[]=article&types[]=kind1',
      '@cms/documents?state=modified',
      `@cms/documents?search=${word}`,
      `@cms/documents?_ids=${article}:en:draft`,
      '@cms/documents?updatedAt[$gte]=2026-11-20',
      '@cms/documents?publishAt[$exists]=true',
      '@cms/documents?archiveAt[$exists]=true&sort=archiveAt',
    ],
    scheduled: ['article?publishAt[$exists]=true'],
    uses: [`topic/${topic}/used-by`, `@cms/image/${image}/used-by`, `article/${article}/used-by`],
    versions: [`@cms/document-versions?docId=${article}:en:draft`],
    pages: [
      `@cms/page/${page}`,
      '@cms/page',
      '@cms/page?flat=1&perPage=10',
      `@cms/page?search=${word}`,
      '@cms/page?autocomplete=be',
    ],
    attachments: ['@cms/image?search=be', '@cms/image', '@cms/image?sort=title'],
  }
}
