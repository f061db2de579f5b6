import { defineSite } from '../cms/src/index.ts'
import { article } from './types/article.ts'
import { articlePage, defaultPage, homePage } from './types/pages.ts'
import { draftless, guesty, note, product, secret, topic } from './types/pieces.ts'
import { referenceStyles } from './types/styles.ts'
import { plain, promo } from './types/widgets.ts'

/** Environment variables of the reference site. */
export type Environment = Readonly<Record<string, string | undefined>>

const HOST = 'en.example.test'

/**
 * The reference site: every field type, five locales. `QUIRE_NAMESPACE` (default `@cms`), `QUIRE_BASE_URL`,
 * `QUIRE_ARTICLE_PUBLIC=1`, `QUIRE_PAGE_PUBLIC=1`, `QUIRE_HOSTS=1` and `QUIRE_FALLBACK=1` vary it.
 */
export function referenceSite(environment: Environment) {
  const { QUIRE_NAMESPACE: namespace, QUIRE_BASE_URL: baseUrl } = environment
  return defineSite({
    name: 'Reference',
    static: true,
    ...(isNamespace(namespace) ? { namespace } : {}),
    ...(baseUrl ? { baseUrl } : {}),
    locales: localesIn(environment),
    types: [
      article(environment.QUIRE_ARTICLE_PUBLIC === '1'),
      topic,
      product,
      secret,
      note,
      draftless,
      guesty,
      homePage,
      defaultPage,
      articlePage,
    ],
    pages: {
      ...(environment.QUIRE_PAGE_PUBLIC === '1' ? { publicApiProjection: publicPage } : {}),
      fallback: environment.QUIRE_FALLBACK === '1',
    },
    widgets: [promo, plain],
    templates: new URL('./templates', import.meta.url),
    layout: 'layout.njk',
    styles: referenceStyles,
    global: { fields: { add: { footer: { type: 'string' } } } },
  })
}

const publicPage = ['title', 'slug', 'type', 'level', 'rank', 'path', '_url', '_children', '_ancestors'] as const

const locales = {
  en: { label: 'English' },
  fr: { label: 'French', prefix: '/fr' },
  es: { label: 'Spanish', prefix: '/es' },
  de: { label: 'German', prefix: '/de' },
  it: { label: 'Italian', prefix: '/it', private: true },
} as const

const localesWithHosts = {
  en: { ...locales.en, hostname: HOST },
  fr: { ...locales.fr, hostname: HOST },
  es: { ...locales.es, hostname: HOST },
  de: { label: 'German', hostname: 'de.example.test' },
  it: { ...locales.it, hostname: HOST },
} as const

const localesWithFallbacks = {
  ...locales,
  fr: { ...locales.fr, fallback: 'en' },
  es: { ...locales.es, fallback: 'fr' },
  it: { ...locales.it, fallback: 'en' },
} as const

function localesIn({ QUIRE_HOSTS, QUIRE_FALLBACK }: Environment) {
  if (QUIRE_FALLBACK === '1') return localesWithFallbacks
  return QUIRE_HOSTS === '1' ? localesWithHosts : locales
}

function isNamespace(text: string | undefined): text is `@${string}` {
  return text?.startsWith('@') ?? false
}
