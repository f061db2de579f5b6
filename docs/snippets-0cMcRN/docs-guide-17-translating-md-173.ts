// site.ts
import { defineSite, page } from 'quire-cms'

const text = page('text', {
  fields: { add: { intro: { type: 'string' }, body: { type: 'area', widgets: { '@cms/rich-text': {} } } } },
  publicApiProjection: ['title', 'slug', 'intro', 'body', '_url'],
})

export const site = defineSite({ name: 'Kites', types: [text] })
