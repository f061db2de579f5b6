import { z } from 'zod'
import { defineSite, html, page, piece, query } from '../src/index.ts'

const topic = piece('topic', {
  publicApiProjection: ['title', 'slug'],
  fields: { add: { motto: { type: 'string' } } },
})
/** Strangers see neither titles nor slugs. */
const person = piece('person', { publicApiProjection: ['bio'], fields: { add: { bio: { type: 'string' } } } })
const plan = piece('plan', { fields: { add: { budget: { type: 'integer' } } } })
const vault = piece('vault', { viewRole: 'editor' })
const club = piece('club', { guestApiAccess: true, fields: { add: { code: { type: 'string' } } } })
const stamp = piece('stamp', { localized: false, publicApiProjection: ['title', 'slug'] })
const textPage = page('text-page', {
  publicApiProjection: ['title', 'slug'],
  render: ({ page }) => html`<h1>${page.title}</h1>`,
})
const indexPage = page('index-page', {
  piecesType: 'product',
  piecesFilters: ['kind', { name: 'topics', counts: true }, { name: 'price', counts: true }, 'note', 'secretNumber'],
  perPage: 4,
  index: { render: () => html`<p></p>` },
  show: { render: () => html`<p></p>` },
})

const product = piece('product', {
  scheduling: true,
  sort: { qty: -1 },
  searchable: [
    '_topics',
    '_secretTopics',
    '_people',
    '_plans',
    '_vaults',
    '_clubs',
    '_stamps',
    '_pages',
    '_images',
    '_secretImages',
  ],
  searchWeights: { note: 'low', secretNote: 'high', links: 'none', _topics: 'high', _stamps: 'low' },
  publicApiProjection: [
    ...(['title', 'slug', 'price', 'kind', 'tags', 'active', 'day', 'details', 'body'] as const),
    ...(['_topics', '_people', '_plans', '_vaults', '_clubs', '_stamps', '_pages', '_images'] as const),
  ],
  fields: {
    add: {
      note: { type: 'string' },
      price: { type: 'float' },
      qty: { type: 'integer' },
      kind: { type: 'select', choices: ['low', 'High', 'none'] },
      tags: { type: 'checkboxes', choices: ['a', 'b', 'c'] },
      active: { type: 'boolean' },
      day: { type: 'date' },
      at: { type: 'dateAndTime' },
      hour: { type: 'time' },
      mail: { type: 'email' },
      secretNote: { type: 'string', viewPermission: 'editor' },
      secretNumber: { type: 'integer', viewPermission: 'editor' },
      details: {
        type: 'object',
        fields: { add: { shown: { type: 'string' }, inner: { type: 'string', viewPermission: 'editor' } } },
      },
      links: {
        type: 'array',
        fields: { add: { label: { type: 'string' }, code: { type: 'string', viewPermission: 'admin' } } },
      },
      body: { type: 'area', widgets: { '@cms/rich-text': {} } },
      _topics: { type: 'relationship', withType: 'topic' },
      _secretTopics: { type: 'relationship', withType: 'topic', viewPermission: 'editor' },
      _people: { type: 'relationship', withType: 'person' },
      _plans: { type: 'relationship', withType: 'plan' },
      _vaults: { type: 'relationship', withType: 'vault' },
      _clubs: { type: 'relationship', withType: 'club' },
      _stamps: { type: 'relationship', withType: 'stamp' },
      _pages: { type: 'relationship', withType: 'text-page' },
      _images: { type: 'relationship', withType: '@cms/image' },
      _secretImages: { type: 'relationship', withType: '@cms/image', viewPermission: 'editor' },
    },
  },
  queries: {
    atLeast: query({
      input: z.coerce.number(),
      description: 'Price at least.',
      where: (least) => ({ price: { min: least } }),
    }),
  },
})

/** Fields of every kind of index, relationships to types that callers see in part, and pages that list them. */
export const site = defineSite({
  name: 'Lists',
  locales: {
    en: { label: 'English' },
    fr: { label: 'French', prefix: '/fr' },
    it: { label: 'Italian', prefix: '/it', private: true },
  },
  types: [topic, person, plan, vault, club, stamp, textPage, indexPage, product],
})

export type Role = 'guest' | 'contributor' | 'editor' | 'admin'
/** Who sees a value: whoever the public projection shows it to, who sees the whole document, or a role. */
export type Sees = 'public' | 'full' | Role
export type Kind = 'text' | 'address' | 'number' | 'boolean' | 'choice' | 'choices' | 'moment'

/** What the naive model knows of a type. */
export interface KnownType {
  readonly isPublic: boolean
  readonly viewRole: Role | null
  readonly isForGuests: boolean
  readonly isLocalized: boolean
  readonly isScheduled: boolean
  readonly sort: readonly (readonly [string, 1 | -1])[]
  readonly fields: Readonly<Record<string, { readonly kind: Kind; readonly sees: Sees }>>
  readonly relationships: Readonly<Record<string, { readonly to: string; readonly sees: Sees }>>
}

const titled = (sees: Sees) => ({ title: { kind: 'text', sees }, slug: { kind: 'text', sees } }) as const
const plain = {
  isPublic: false,
  viewRole: null,
  isForGuests: false,
  isLocalized: true,
  isScheduled: false,
  sort: [],
  relationships: {},
}

export const TYPES: Readonly<Record<string, KnownType>> = {
  topic: { ...plain, isPublic: true, fields: { ...titled('public'), motto: { kind: 'text', sees: 'full' } } },
  person: { ...plain, isPublic: true, fields: { ...titled('full'), bio: { kind: 'text', sees: 'public' } } },
  plan: { ...plain, fields: { ...titled('full'), budget: { kind: 'number', sees: 'full' } } },
  vault: { ...plain, viewRole: 'editor', fields: titled('full') },
  club: { ...plain, isForGuests: true, fields: { ...titled('full'), code: { kind: 'text', sees: 'full' } } },
  stamp: { ...plain, isPublic: true, isLocalized: false, fields: titled('public') },
  'text-page': { ...plain, isPublic: true, fields: titled('public') },
  '@cms/image': {
    ...plain,
    isPublic: true,
    fields: {
      title: { kind: 'text', sees: 'public' },
      slug: { kind: 'text', sees: 'full' },
      alt: { kind: 'text', sees: 'public' },
    },
  },
  product: {
    ...plain,
    isPublic: true,
    isScheduled: true,
    sort: [['qty', -1]],
    fields: {
      ...titled('public'),
      note: { kind: 'text', sees: 'full' },
      price: { kind: 'number', sees: 'public' },
      qty: { kind: 'number', sees: 'full' },
      kind: { kind: 'choice', sees: 'public' },
      tags: { kind: 'choices', sees: 'public' },
      active: { kind: 'boolean', sees: 'public' },
      day: { kind: 'moment', sees: 'public' },
      at: { kind: 'moment', sees: 'full' },
      hour: { kind: 'moment', sees: 'full' },
      mail: { kind: 'address', sees: 'full' },
      secretNote: { kind: 'text', sees: 'editor' },
      secretNumber: { kind: 'number', sees: 'editor' },
    },
    relationships: {
      _topics: { to: 'topic', sees: 'public' },
      _secretTopics: { to: 'topic', sees: 'editor' },
      _people: { to: 'person', sees: 'public' },
      _plans: { to: 'plan', sees: 'public' },
      _vaults: { to: 'vault', sees: 'public' },
      _clubs: { to: 'club', sees: 'public' },
      _stamps: { to: 'stamp', sees: 'public' },
      _pages: { to: 'text-page', sees: 'public' },
      _images: { to: '@cms/image', sees: 'public' },
      _secretImages: { to: '@cms/image', sees: 'editor' },
    },
  },
}

/** How much the words of some fields weigh in searches; of the others `normal`. */
export const WEIGHTS: Readonly<Record<string, Readonly<Record<string, 'high' | 'low' | 'none'>>>> = {
  product: { note: 'low', secretNote: 'high', links: 'none', _topics: 'high', _stamps: 'low' },
}

/** What texts are made of. */
export const PHRASES = [
  ...['Crème brûlée', 'creme', "d'été", 'D’ÉTÉ', 'co-op', 'CO OP', '東京の天気', '東京', 'مرحبا بالعالم', 'שָׁלוֹם'],
  ...['ÅNGSTRÖM', 'angstrom', 'İstanbul', 'straße', 'STRASSE', 'a', 'x1', '42', '3.14', '🎉 party', '👩‍👩‍👧'],
  ...['Tom & Jerry', '&amp;', 'O’Brien', "O'Brien", 'ﬁsh', 'Ⅷ', '①', 'x'.repeat(70), `${'x'.repeat(64)}y`],
  ...['हिन्दी भाषा', 'ภาษาไทย', 'none', 'AND', 'OR NOT', 'NEAR(', '~2merger', '_title', 'title:a', 'a*', '"a b"'],
  ...['ab', 'abc', 'abcd', 'abcde', 'alpha', 'ALPHA beta', 'beta', 'Ὀδυσσεύς', 'Ёлка', 'Łódź', '%', '\\', 'Ａ１'],
  ...[
    'gardens at night',
    'garden',
    'gardening',
    'graden',
    'gardner',
    'jardins',
    'jardin',
    'giardini',
    'giardino e case',
  ],
] as const
