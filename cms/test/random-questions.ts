import { LOCALES, PIECES, WORDS, type World } from './random-world.ts'

/** Who asks and writes. The user signs in with a session token; the static build is the front end's. */
export const ASKING = [
  ...(['anonymous', 'anonymous', 'frontend', 'static', 'guest'] as const),
  ...(['contributor', 'editor', 'admin', 'user'] as const),
] as const
export type Asking = (typeof ASKING)[number]

/** A GET of one caller. */
export interface Question {
  readonly caller: Asking
  readonly path: string
}

/** One of all questions whose answers may be cached, and of some whose answers may not. */
export function randomQuestion(world: World): Question {
  const { dice } = world
  const path = dice.pick([listPath, listPath, listPath, onePath, onePath, pagePath, pagePath, filePath, otherPath])(
    world,
  )
  const isForFrontEnd = /@cms\/url/.test(path)
  return { caller: dice.pick(isForFrontEnd ? ['frontend', 'static'] : ASKING), path }
}

function listPath(world: World): string {
  const { dice } = world
  const type = dice.pick([...PIECES, '@cms/user', '@cms/global', '@cms/styles'])
  return `/api/v1/${type}?${dice.some(parametersOf(world, type), 4).concat(scope(world)).join('&')}`
}

function parametersOf(world: World, type: string): string[] {
  const { dice } = world
  const common = [
    `perPage=${1 + dice.below(4)}`,
    `page=${1 + dice.below(2)}`,
    `sort=${dice.pick(['title', '-title', 'updatedAt', '-createdAt', 'slug', 'price', '-count'])}`,
    `search=${dice.pick(WORDS)}`,
    `autocomplete=${dice.pick(WORDS).slice(0, 3)}`,
    `archived=${dice.pick(['any', 'true', 'false'])}`,
    `slug=${dice.pick(WORDS)}-${dice.pick(WORDS)}`,
    `visibility=${dice.pick(['public', 'loginRequired'])}`,
    'project[title]=1&project[slug]=1',
    'project[_id]=1',
    'withRelationships=',
    'render-areas=1',
    `_ids[]=${world.id(type)}&_ids[]=${world.id(type)}`,
  ]
  const topics = [
    `topics=${dice.pick(WORDS)}-${dice.pick(WORDS)}`,
    `_topics=${world.id('topic')}`,
    `topics[]=${dice.pick(WORDS)}&topics[]=none`,
    `_topicsAnd[]=${world.id('topic')}&_topicsAnd[]=${world.id('topic')}`,
    'counts=topics,_topics',
    'topics=none',
    'project[_topics.title]=1',
    'project[_topics.slug]=0&withRelationships=_topics',
    `_topics.title[$startsWith]=${dice.pick(WORDS).slice(0, 2)}`,
    `where[$or][0][_topics.slug][$contains]=${dice.pick(WORDS)}&where[$or][1][_topics][$exists]=false`,
    `where[$not][title][$contains]=${dice.pick(WORDS).slice(0, 3)}`,
  ]
  if (type === 'product') return [...common, ...topics, 'price[min]=1', 'minPrice=2', 'color=red', 'choices=color,tags']
  if (type === '@cms/image') return [...common, `_tags=${world.id('@cms/image-tag')}`, 'counts=_tags']
  if (type !== 'article') return common
  const fields = ['level=low', 'tags[]=red&tags[]=blue', 'featured=true', 'count[min]=1&count[max]=3']
  return [
    ...common,
    ...topics,
    ...fields,
    'counts=level,tags',
    'choices=topics,related',
    'withRelationships=_related._topics,_image._tags',
    'withRelationships=_related._related._topics&project[_related._related._topics.title]=1',
    'project[body.@cms/image._image.alt]=1&project[_image.alt]=1',
    'withRelationships=body.@cms/image._image._tags',
    `_related=${world.id('article')}`,
    `_related._topics.title[$ne]=${dice.pick(WORDS)}`,
    'count[$exists]=true&level[$nin]=low',
  ]
}

function scope({ dice }: World): string[] {
  const locale = dice.isBelow(0.5) ? [] : [`aposLocale=${dice.pick(LOCALES)}`]
  return dice.isBelow(0.25) ? [...locale, 'aposMode=draft'] : locale
}

function onePath(world: World): string {
  const { dice } = world
  const type = dice.pick([...PIECES, '@cms/page', '@cms/page', '@cms/global', '@cms/styles', '@cms/user'])
  const id = world.id(type === '@cms/page' ? dice.pick(['default-page', 'article-page']) : type)
  const copy = dice.isBelow(0.3) ? `:${dice.pick(LOCALES)}:${dice.pick(['draft', 'published'])}` : ''
  const below = dice.isBelow(0.2) ? '/locales' : ''
  const some = dice.some(['archived=any', 'render-areas=1', 'project[title]=1&project[_url]=1', ...wantedOf(type)], 1)
  return `/api/v1/${type}/${id}${copy}${below}?${[...some, ...scope(world)].join('&')}`
}

function wantedOf(type: string): string[] {
  if (type === 'article') return ['withRelationships=_related._topics', 'project[_related._topics]=0', 'project[_id]=1']
  return type === '@cms/page' ? ['project[main.@cms/image._image.title]=1&project[_topics.slug]=1'] : []
}

function pagePath(world: World): string {
  const { dice } = world
  if (dice.isBelow(0.3)) {
    const form = dice.pick([
      '',
      'all=1',
      'all=1&flat=1',
      'flat=1',
      'children=0',
      'archived=any&all=1',
      'all=1&project[title]=1',
    ])
    return `/api/v1/@cms/page${dice.pick(['', '', '/_home'])}?${[form, ...scope(world)].join('&')}`
  }
  const prefix = dice.pick(['', '', '', '/fr', '/es', '/de'])
  const slug = dice.pick(world.slugs)
  const piece = dice.isBelow(0.2) ? `/${dice.pick(WORDS)}-${dice.pick(WORDS)}` : ''
  const query = dice.isBelow(0.3)
    ? `?${dice.pick([`topics=${dice.pick(WORDS)}`, 'page=2', 'search=boat', 'aposMode=draft'])}`
    : ''
  return `${prefix}${slug === '/' ? '' : slug}${piece}${query}` || '/'
}

function filePath({ dice }: World): string {
  const locale = dice.pick(LOCALES)
  return dice.pick([
    '/robots.txt',
    '/sitemap.xml',
    '/llms.txt',
    `/llms.txt?${dice.pick(['fr', 'aposLocale=fr'])}`,
    `/sitemap.xml?aposLocale=${locale}`,
    `/api/v1/@cms/url?aposLocale=${locale}`,
    `/api/v1/@cms/styles/stylesheet?aposLocale=${locale}`,
    `/api/v1/@cms/styles/stylesheet/locale/${locale}/${dice.pick(['draft', 'published'])}`,
    '/api/v1/@cms/i18n/locales',
  ])
}

function otherPath(world: World): string {
  const { dice } = world
  const docId = world.id(dice.pick(['article', 'default-page', 'topic']))
  return dice.pick([
    `/api/v1/@cms/document-versions?docId=${docId}`,
    '/api/v1/@cms/recent-changes',
    `/api/v1/@cms/image/${world.id('@cms/image')}/src?size=one-third`,
    '/api/v1/@cms/login/whoami',
    '/api/v1/@cms/url/literal-routes',
    listPath(world),
  ])
}
