import { piece } from '../../cms/src/index.ts'
import { choices } from './choices.ts'

const publicFields = [
  'title',
  'slug',
  'subtitle',
  'count',
  'featured',
  'level',
  'tags',
  'body',
  '_topics',
  'topicsIds',
  '_image',
  'imageIds',
  'visibility',
  'createdAt',
  'updatedAt',
  '_url',
] as const

/** Every sort of value in one type; public only when the site is asked to make it so. */
export function article(isPublic: boolean) {
  return piece('article', {
    ...(isPublic ? { publicApiProjection: publicFields } : {}),
    fields: {
      add: {
        subtitle: { type: 'string', max: 80 },
        code: { type: 'string' },
        count: { type: 'integer', min: 0, max: 1000, def: 7 },
        rating: { type: 'float', min: 0, max: 5 },
        featured: { type: 'boolean', def: false },
        eventDate: { type: 'date' },
        eventTime: { type: 'time' },
        at: { type: 'dateAndTime' },
        link: { type: 'url' },
        contact: { type: 'email' },
        level: { type: 'select', choices: choices('low', 'high'), def: 'low' },
        tags: { type: 'checkboxes', choices: choices('red', 'green', 'blue') },
        tone: { type: 'radio', choices: choices('soft', 'loud') },
        tint: { type: 'color' },
        size: { type: 'range', min: 0, max: 100, step: 10, def: 50 },
        spacing: { type: 'box' },
        links: {
          type: 'array',
          titleField: 'label',
          fields: {
            add: {
              label: { type: 'string', required: true },
              href: { type: 'url' },
              n: { type: 'integer' },
            },
          },
        },
        address: {
          type: 'object',
          fields: { add: { city: { type: 'string' }, zip: { type: 'integer' } } },
        },
        body: {
          type: 'area',
          widgets: {
            '@cms/rich-text': {
              toolbar: ['styles', 'bold', 'italic', 'link'],
              styles: [
                { tag: 'p', label: 'P' },
                { tag: 'h2', label: 'H2' },
              ],
            },
            '@cms/image': {},
            '@cms/video': {},
            '@cms/html': {},
            promo: {},
            plain: {},
          },
        },
        _topics: {
          type: 'relationship',
          withType: 'topic',
          builders: { project: { title: 1, slug: 1, _url: 1 } },
        },
        _image: { type: 'relationship', withType: '@cms/image', max: 1 },
        _related: {
          type: 'relationship',
          withType: 'article',
          fields: { add: { why: { type: 'string' } } },
          builders: { project: { title: 1, slug: 1 } },
        },
        download: { type: 'attachment', fileGroup: 'office' },
      },
    },
  })
}
