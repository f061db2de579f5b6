import type { JsonObject } from '../src/base/json.ts'

const ANN = { _id: 'cl0annaaaaaaaaaaaaaaaaaaa', title: 'Ann Archer', username: 'ann' }

/** The ids of the documents that tests look at. */
export const IDS = {
  boat: 'cl1boataaaaaaaaaaaaaaaaaa',
  raft: 'cl1raftaaaaaaaaaaaaaaaaaa',
  sea: 'cl1seaaaaaaaaaaaaaaaaaaaa',
  image: 'cl1imageaaaaaaaaaaaaaaaaa',
  global: 'cl1globalaaaaaaaaaaaaaaaa',
  styles: 'cl1stylesaaaaaaaaaaaaaaaa',
  home: 'cl1homeaaaaaaaaaaaaaaaaaa',
  archive: 'cl1archiveaaaaaaaaaaaaaaa',
  about: 'cl1aboutaaaaaaaaaaaaaaaaa',
  team: 'cl1teamaaaaaaaaaaaaaaaaaa',
  moved: 'cl1movedaaaaaaaaaaaaaaaaa',
  idea: 'cl1ideaaaaaaaaaaaaaaaaaaa',
  first: 'cl1firstaaaaaaaaaaaaaaaaa',
  gone: 'cl1goneaaaaaaaaaaaaaaaaaa',
  below: 'cl1belowaaaaaaaaaaaaaaaaa',
  half: 'cl1halfaaaaaaaaaaaaaaaaaa',
  live: 'cl1liveaaaaaaaaaaaaaaaaaa',
  note: 'cl1noteaaaaaaaaaaaaaaaaaa',
  noteTwo: 'cl1notetwoaaaaaaaaaaaaaaa',
  odd: 'cl1oddaaaaaaaaaaaaaaaaaaa',
  wave: 'cl1waveaaaaaaaaaaaaaaaaaa',
  tide: 'cl1tideaaaaaaaaaaaaaaaaaa',
} as const

/** A moment, as the database holds it; `inForm` writes it. */
function at(text: string): JsonObject {
  return { $date: text }
}

interface Modes {
  readonly draft?: JsonObject
  readonly published?: JsonObject
  readonly locale?: string
}

/** The copies of a document with all that ApostropheCMS adds; those that are not named are not there. */
function copies(id: string, type: string, { locale = 'en', ...modes }: Modes): JsonObject[] {
  return (['draft', 'published'] as const).flatMap((mode) => {
    const values = modes[mode]
    if (values === undefined) return []
    const words = String(values.title).toLowerCase()
    const days = mode === 'draft' ? '03' : '02'
    return {
      ...{ _id: `${id}:${locale}:${mode}`, aposDocId: id, aposLocale: `${locale}:${mode}`, aposMode: mode },
      ...{ type, metaType: 'doc', archived: false, visibility: 'public' },
      ...{ createdAt: at('2024-03-01T09:00:00.000Z'), updatedAt: at(`2024-04-${days}T10:30:00.000Z`), updatedBy: ANN },
      ...{ cacheInvalidatedAt: at('2024-04-05T00:00:00.000Z'), lastPublishedAt: at('2024-04-02T10:31:00.000Z') },
      ...{ titleSortified: words, highSearchText: words, highSearchWords: words.split(' '), lowSearchText: words },
      ...{ searchSummary: words, relatedReverseIds: [IDS.sea], ...(mode === 'draft' && { modified: true }) },
      ...(values.archived === true && { aposWasArchived: true }),
      ...values,
    }
  })
}

/** Both copies with the same values. */
function document(id: string, type: string, values: JsonObject, locale = 'en'): JsonObject[] {
  return copies(id, type, { draft: values, published: values, locale })
}

/** A page at a path of ids; its parked ones are those of the site. */
function place(rank: number, ...above: readonly string[]): JsonObject {
  return { path: above.join('/'), level: above.length - 1, rank, orphan: false, historicUrls: [] }
}

/** The file that the documents name. */
export const attachment = {
  ...{ _id: 'cl0attimageaaaaaaaaaaaaaa', group: 'images', createdAt: at('2024-03-01T08:00:00.000Z') },
  ...{ name: 'old-harbour', title: 'Old harbour', extension: 'jpg', type: 'attachment', archivedDocIds: [] },
  ...{ docIds: [`${IDS.image}:en:draft`], length: 1139, md5: '0', width: 400, height: 200, crops: [], used: true },
}

/** What an object has in the database in addition to its fields. */
function marked(metaType: string, name: string, values: JsonObject): JsonObject {
  const scoped = metaType === 'arrayItem' ? { scopedArrayName: name } : { scopedObjectName: name }
  return { _id: `id${name.replaceAll(/\W/g, '')}`, metaType, ...scoped, ...values }
}

function area(name: string, ...items: readonly JsonObject[]): JsonObject {
  const widgets = items.map((item, index) => ({ _id: `wi${name}${index}`, metaType: 'widget', ...item }))
  return { _id: `ar${name}`, metaType: 'area', items: widgets }
}

const edge = (values: JsonObject) => marked('objectItem', 'doc.card.edge', values)
const sides = { top: 1, right: 1, bottom: 1, left: 1 }

const card: JsonObject = {
  ...{ type: 'card', aposPlaceholder: false, heading: 'A card', tone: null },
  edge: edge({ active: true, width: sides, radius: 0, color: 'black', style: 'solid' }),
  shadow: edge({ active: true, x: 4, y: 4, blur: 2, color: 'gray' }),
  back: edge({
    ...{ enabled: false, backgroundType: 'color', color: null, gradientStart: '#000000', gradientEnd: '#ffffff' },
    ...{
      gradientAngle: 180,
      imageIds: [],
      imageFields: {},
      overlay: false,
      overlayColor: '#000000',
      overlayOpacity: 50,
    },
  }),
}

const richText = {
  type: '@apostrophecms/rich-text',
  content: '<p>Built of <b>oak</b>.</p>',
  permalinkIds: [],
  imageIds: [],
}

/** All fields filled in. */
const filled: JsonObject = {
  ...{ title: 'Boat', slug: 'boat', level: 'high', rank: 2, path: 'by sea', summary: 'Afloat', mood: 'b' },
  ...{ marks: ['b', 'c'], count: 12, price: 3.25, isNew: false, share: 7, tint: '#ff000080' },
  ...{ space: { top: 1, right: 2, bottom: 3, left: 4 }, day: '2024-02-29', hour: '23:59:00' },
  ...{ moment: '2024-03-04T05:06:07.000Z', link: 'https://port.example.org/', mail: 'port@example.org' },
  film: { url: 'https://video.example.org/1', title: 'Film', thumbnail: 'https://video.example.org/1.jpg' },
  paper: attachment,
  body: area('body', richText, card, { type: '@apostrophecms/html', code: '<b>Open</b>' }),
  stops: [marked('arrayItem', 'doc.article.stops', { name: 'Hull', level: 'high', body: area('stop', richText) })],
  address: marked('objectItem', 'doc.article.address', { city: 'York', level: 'high' }),
  ...{ topicsIds: [IDS.sea], topicsFields: { [IDS.sea]: { weight: 3, level: 'high' } } },
  ...{
    imageIds: [IDS.image],
    imageFields: { [IDS.image]: { top: 10, left: 20, width: 300, height: 150, x: 40, y: 60 } },
  },
}

/** No field filled in, whatever its default is. */
const empty: JsonObject = {
  ...{ title: 'Raft', slug: 'raft', level: null, rank: null, path: '', summary: '', mood: null, marks: [] },
  ...{ count: null, price: null, isNew: false, share: null, tint: null, day: null, hour: null, moment: null },
  space: { top: null, right: null, bottom: null, left: null },
  ...{ link: null, mail: '', film: null, paper: null, body: area('none', { ...card, heading: '', tone: null }) },
  stops: [marked('arrayItem', 'doc.article.stops', { name: '', level: null, body: area('nothing') })],
  address: marked('object', 'doc.article.address', { city: '', level: null }),
  ...{
    topicsIds: [IDS.sea],
    topicsFields: { [IDS.sea]: { weight: null, level: null } },
    imageIds: [],
    imageFields: {},
  },
}

const { home, archive, about, gone } = IDS
const parked = (parkedId: string) => ({ parkedId, parked: ['parkedId', 'slug'] })
const text = { intro: '' }
const gaveWay = (slug: string, id: string) => `${slug}-deduplicate-${id}`

const movedPage = { title: 'Moved', slug: '/moved', ...text }
const halfPage = { title: 'Archive me', ...text }

/** The documents of a database, as ApostropheCMS 4 stores them, in no helpful order. */
export const dump: readonly JsonObject[] = [
  // Draft and published copy differ, in their slugs, too.
  ...copies(IDS.boat, 'article', {
    published: filled,
    draft: { ...filled, slug: 'new-boat', title: 'New boat', count: 0 },
  }),
  ...document(IDS.raft, 'article', empty),
  // Choices that the site has no more.
  ...document(IDS.odd, 'article', { title: 'Odd', slug: 'odd', level: 'medium', mood: 'loud' }),
  ...document(IDS.sea, 'topic', { title: 'Sea', slug: 'sea', aposShareKey: 'cl1key' }),
  ...document(IDS.team, 'default-page', {
    title: 'Team',
    slug: '/about/team',
    ...text,
    ...place(0, home, about, IDS.team),
  }),
  // Only their drafts have moved: one below another page, one among its siblings.
  ...copies(IDS.moved, 'default-page', {
    draft: { ...movedPage, ...place(9, home, about, IDS.moved) },
    published: { ...movedPage, ...place(4, home, IDS.moved) },
  }),
  ...copies(IDS.first, 'default-page', {
    draft: { title: 'First', slug: '/first', ...text, ...place(8, home, IDS.first) },
    published: { title: 'First', slug: '/first', ...text, ...place(1, home, IDS.first) },
  }),
  ...copies(IDS.idea, 'default-page', {
    draft: { title: 'Idea', slug: '/idea', ...text, lastPublishedAt: null, ...place(7, home, IDS.idea) },
  }),
  // Of two pages with one slug one is archived, but only in its published copy.
  ...copies(IDS.half, 'default-page', {
    draft: { ...halfPage, slug: '/archive-me', ...place(5, home, IDS.half) },
    published: {
      ...{ ...halfPage, slug: gaveWay('/archive-me', IDS.half), archived: true },
      ...place(3, home, archive, IDS.half),
    },
  }),
  ...copies(IDS.live, 'default-page', {
    draft: { ...halfPage, slug: '/archive-me7', ...place(6, home, IDS.live) },
    published: { ...halfPage, slug: '/archive-me', ...place(5, home, IDS.live) },
  }),
  // The slug of a page that is archived in its draft only was given to another draft.
  ...copies(IDS.wave, 'default-page', {
    draft: { title: 'Tide', slug: '/tide', ...text, lastPublishedAt: null, ...place(0, home, IDS.wave) },
  }),
  ...copies(IDS.tide, 'default-page', {
    draft: {
      ...{ title: 'Tide', slug: gaveWay('/tide', IDS.tide), archived: true, ...text },
      ...place(4, home, archive, IDS.tide),
    },
    published: { title: 'Tide', slug: '/tide', ...text, ...place(7, home, IDS.tide) },
  }),
  ...document(about, 'default-page', {
    ...{ title: 'About', slug: '/about-us', ...text, ...place(2, home, about), historicUrls: ['/about'] },
  }),
  // Archived, with a page below.
  ...copies(gone, 'default-page', {
    draft: { title: 'Gone', slug: gaveWay('/gone', gone), archived: true, ...text, ...place(0, home, archive, gone) },
  }),
  ...copies(IDS.below, 'default-page', {
    draft: {
      ...{ title: 'Below', slug: `${gaveWay('/gone', gone)}/${gaveWay('below', IDS.below)}`, archived: true, ...text },
      ...place(0, home, archive, gone, IDS.below),
    },
  }),
  ...document(home, '@apostrophecms/home-page', {
    ...{ title: 'Harbour', slug: '/', ...place(0, home), ...parked('home') },
    main: area('main', richText, {
      type: '@apostrophecms/image',
      imageIds: [IDS.image],
      imageFields: {},
      linkTo: 'none',
    }),
  }),
  ...document(archive, '@apostrophecms/archive-page', {
    ...{
      title: 'Archive',
      slug: '/archive',
      archived: true,
      ...place(9, home, archive),
      orphan: true,
      ...parked('archive'),
    },
  }),
  ...document(
    home,
    '@apostrophecms/home-page',
    { title: 'Port', slug: '/', ...place(0, home), ...parked('home') },
    'fr',
  ),
  ...document(IDS.image, '@apostrophecms/image', {
    ...{ title: 'Old harbour', slug: 'image-old-harbour', alt: 'Boats', credit: '', creditUrl: null, attachment },
    ...{ tagsIds: [], tagsFields: {} },
  }),
  ...document(IDS.global, '@apostrophecms/global', {
    ...{ title: 'Global', slug: 'global', footer: '', stylesStylesheet: '.card{}', stylesClasses: ['a'] },
    stylesStylesheetVersion: 'cl1version',
  }),
  ...document(IDS.styles, '@apostrophecms/styles', {
    ...{
      title: 'Styles',
      slug: 'styles',
      edge: edge({ active: true, width: sides, radius: 2, color: 'navy', style: null }),
    },
    shadow: edge({ active: false, x: 1, y: null, blur: 2, color: 'gray' }),
  }),
  // Of types that have no drafts here.
  ...copies(IDS.note, 'note', {
    draft: { title: 'Note', slug: 'note', text: 'Draft' },
    published: { title: 'Note', slug: 'note', text: 'Published' },
  }),
  // Archived in its draft only; and what an ApostropheCMS keeps to undo a publication.
  ...copies(IDS.noteTwo, 'topic', {
    draft: { title: 'Tide', slug: `deduplicate-${IDS.noteTwo}-tide`, archived: true },
    published: { title: 'Tide', slug: 'tide' },
  }),
  { _id: `${IDS.sea}:en:previous`, aposDocId: IDS.sea, aposLocale: 'en:previous', aposMode: 'previous', type: 'topic' },
]
