import { defineSite, page } from 'quire-cms'

const landing = page('landing', {
  fields: { add: { lead: { type: 'string' }, body: { type: 'area', widgets: { '@cms/rich-text': {} } } } },
  publicApiProjection: ['title', 'slug', 'lead', 'body', '_url', '_children', '_ancestors'],
})

export const site = defineSite({
  types: [landing],
  pages: {
    // For page types without their own projection. Without either, anonymous callers see no pages.
    publicApiProjection: ['title', 'slug', '_url', '_children', '_ancestors'],
    // Further pages that always exist, in every locale; `fixed` fields cannot be changed.
    parked: [{ parkedId: 'news', type: 'landing', title: 'News', slug: '/news', fixed: ['slug'] }],
  },
})
