import type { ContentType, WidgetDeclaration } from './content-type.ts'
import { piece, widget } from './content-type.ts'

/** The pieces that media are (decisions 4.3), and their tags. */
export const BUILT_IN_TYPES: readonly ContentType[] = [
  piece('@cms/image', {
    label: 'Image',
    fields: {
      add: {
        alt: { type: 'string', label: 'Alternative text' },
        attachment: { type: 'attachment', label: 'File', fileGroup: 'images', required: true },
        credit: { type: 'string' },
        creditUrl: { type: 'url', label: 'Credit URL' },
        _tags: { type: 'relationship', withType: '@cms/image-tag' },
      },
    },
    publicApiProjection: ['title', 'alt', 'attachment', 'credit', 'creditUrl', '_tags', '_url'],
    autopublish: true,
    slugPrefix: 'image-',
  }),
  piece('@cms/file', {
    label: 'File',
    fields: {
      add: {
        alt: { type: 'string', label: 'Alternative text' },
        attachment: { type: 'attachment', label: 'File', required: true },
        credit: { type: 'string' },
        creditUrl: { type: 'url', label: 'Credit URL' },
        _tags: { type: 'relationship', withType: '@cms/file-tag' },
      },
    },
    publicApiProjection: ['title', 'alt', 'attachment', 'credit', 'creditUrl', '_tags', '_url'],
    autopublish: true,
    slugPrefix: 'file-',
  }),
  piece('@cms/image-tag', { label: 'Image tag', autopublish: true, slugPrefix: 'image-tag-' }),
  piece('@cms/file-tag', { label: 'File tag', autopublish: true, slugPrefix: 'file-tag-' }),
]

/** The global document, with the fields the site declares for it. */
export function globalType(fields: object | undefined): ContentType {
  const options = { label: 'Global', pluralLabel: 'Global', singleton: true, ...(fields && { fields }) }
  return { family: 'piece', name: '@cms/global', fields: { add: {} }, options }
}

const richText = widget('@cms/rich-text', {
  label: 'Rich text',
  fields: { add: { content: { type: 'richText' } } },
})

const image = widget('@cms/image', {
  label: 'Image',
  fields: {
    add: {
      _image: { type: 'relationship', withType: '@cms/image', max: 1 },
      caption: { type: 'string' },
      href: { type: 'url', label: 'Link' },
    },
  },
})

const video = widget('@cms/video', {
  label: 'Video',
  fields: { add: { video: { type: 'oembed', required: true } } },
})

const html = widget('@cms/html', {
  label: 'HTML',
  fields: { add: { code: { type: 'string', textarea: true } } },
})

const file = widget('@cms/file', {
  label: 'File',
  fields: { add: { _file: { type: 'relationship', withType: '@cms/file', max: 1 } } },
})

const layout = widget('@cms/layout', {
  label: 'Layout',
  fields: { add: { columns: { type: 'area', widgets: { '@cms/layout-column': {} } } } },
})

/** What columns hold beside the site's own widgets: not raw HTML, which an area must allow by name. */
const IN_COLUMNS = [richText, image, video, file]

function layoutColumn(siteWidgets: readonly string[]): WidgetDeclaration {
  const allowed = [...IN_COLUMNS.map(({ name }) => name), ...siteWidgets]
  return widget('@cms/layout-column', {
    label: 'Column',
    fields: {
      add: {
        content: { type: 'area', widgets: Object.fromEntries(allowed.map((name) => [name, {}])) },
        colstart: { type: 'integer', label: 'First column', min: 1 },
        colspan: { type: 'integer', label: 'Columns', min: 1 },
        rowstart: { type: 'integer', label: 'First row', min: 1 },
        rowspan: { type: 'integer', label: 'Rows', min: 1 },
        order: { type: 'integer', min: 0 },
        showTablet: { type: 'boolean', label: 'Show on tablets', def: true },
        showMobile: { type: 'boolean', label: 'Show on phones', def: true },
      },
    },
  })
}

/** The widget types every site has; layout columns may hold the site's own ones too. */
export function builtInWidgets(siteWidgets: readonly string[]): readonly WidgetDeclaration[] {
  return [richText, image, video, html, file, layout, layoutColumn(siteWidgets)]
}
