// site.ts
import { defineSite, page, widget } from 'quire-cms'

const teaser = widget('teaser', {
  label: 'Teaser',
  titleField: 'heading',
  fields: {
    add: {
      heading: { type: 'string', required: true, max: 60 },
      tone: { type: 'select', choices: ['calm', 'loud'], def: 'calm' },
      links: { type: 'array', fields: { add: { text: { type: 'string' }, url: { type: 'url' } } } },
      inside: { type: 'area', max: 2, widgets: { '@cms/rich-text': { toolbar: ['bold'], styles: [] }, '@cms/image': {} } },
    },
  },
})

const guide = page('guide', {
  fields: {
    add: {
      body: {
        type: 'area',
        max: 6,
        widgets: {
          '@cms/rich-text': {
            toolbar: ['styles', 'bold', 'link', 'bulletList'],
            styles: [{ tag: 'h2' }, { tag: 'p', label: 'Lead', class: 'lead' }],
          },
          '@cms/image': {},
          '@cms/video': {},
          '@cms/file': {},
          '@cms/layout': { columns: 6, gap: '1rem' },
          teaser: {},
        },
      },
    },
  },
  publicApiProjection: ['title', 'slug', 'body', '_url'],
})

export const site = defineSite({ name: 'Flying', types: [guide], widgets: [teaser] })
