import { type ContentType, page, piece, type WidgetDeclaration, widget } from '../declared/content-type.ts'
import { fieldNameMistake, WIDGET_PROPERTIES } from '../terms/property-labels.ts'
import { ROLES } from '../terms/roles.ts'

/** A piece type of uploaded files: of those of one group, or of all. */
function mediaType(name: 'image' | 'file', label: string, group: { readonly fileGroup?: string }): ContentType {
  return piece(`@cms/${name}`, {
    label,
    fields: {
      add: {
        alt: { type: 'string', label: 'Alternative text' },
        attachment: { type: 'attachment', label: 'File', ...group, required: true },
        credit: { type: 'string' },
        creditUrl: { type: 'url', label: 'Credit URL' },
        _tags: { type: 'relationship', withType: `@cms/${name}-tag` },
      },
    },
    publicApiProjection: ['title', 'alt', 'attachment', 'credit', 'creditUrl', '_tags', '_url'],
    autopublish: true,
    slugPrefix: `${name}-`,
    hooks: { title: ({ attachment }) => titleOf(attachment) },
  })
}

/** The piece types of media (§4.3), of their tags, and of users. */
export const BUILT_IN_TYPES: readonly ContentType[] = [
  mediaType('image', 'Image', { fileGroup: 'images' }),
  mediaType('file', 'File', {}),
  piece('@cms/user', {
    label: 'User',
    fields: {
      add: {
        firstName: { type: 'string', max: 100 },
        lastName: { type: 'string', max: 100 },
        username: { type: 'string', label: 'User name', max: 100, required: true, unique: true },
        email: { type: 'email', label: 'E-mail', unique: true },
        role: { type: 'select', choices: [...ROLES], required: true, def: 'guest' },
        password: { type: 'password' },
        disabled: { type: 'boolean', help: 'A disabled user cannot sign in, and is signed out at once.' },
      },
    },
    viewRole: 'admin',
    editRole: 'admin',
    publishRole: 'admin',
    localized: false,
    versions: false,
    slugPrefix: 'user-',
    hooks: {
      title: ({ firstName, lastName, username }) => `${firstName} ${lastName}`.trim() || username,
    },
  }),
  piece('@cms/image-tag', { label: 'Image tag', autopublish: true, slugPrefix: 'image-tag-' }),
  piece('@cms/file-tag', { label: 'File tag', autopublish: true, slugPrefix: 'file-tag-' }),
]

/** The name of a file in words: `old-harbour` → "Old harbour". */
function titleOf(file: { readonly name: string } | null): string {
  const words = (file?.name ?? '').replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The types of the two pages that every tree has (§2.2), as they are unless a site declares fields for them. */
export const BUILT_IN_PAGES: readonly ContentType[] = [
  page('@cms/home-page', { label: 'Home page' }),
  page('@cms/archive-page', { label: 'Archive' }),
]

/** The global document, with the fields the site declares for it. */
export function globalType(fields: object | undefined): ContentType {
  const options = {
    label: 'Global',
    pluralLabel: 'Global',
    singleton: true,
    editRole: 'editor',
    ...(fields && { fields }),
  }
  return { family: 'piece', name: '@cms/global', fields: { add: {} }, options }
}

/** The document that holds the values of the global styles (§4.7); the fields are added when they are compiled. */
export const STYLES_TYPE: ContentType = piece('@cms/styles', {
  label: 'Styles',
  pluralLabel: 'Styles',
  singleton: true,
  editRole: 'editor',
})

const richText = widget('@cms/rich-text', {
  label: 'Rich text',
  fields: { add: { content: { type: 'richText' } } },
})

const URL = '_url'

/** A page type, as far as images link to it. */
interface LinkedType {
  readonly name: string
  readonly options: object
}

function labelOf({ name, options }: LinkedType): string {
  return 'label' in options && typeof options.label === 'string' ? options.label : name
}

/**
 * An image that may link to a URL, or to a page of one of these types, each in a relationship of its own.
 */
function imageWidget(pageTypes: readonly LinkedType[]): WidgetDeclaration {
  const labels = new Map(pageTypes.map((type) => [type.name, labelOf(type)]))
  const linkable = [...labels.keys()].filter((type) => !isTaken(`_${type}`))
  const pages = linkable.map((withType) => {
    const relationship = { type: 'relationship', withType, max: 1, required: true, if: { linkTo: withType } } as const
    return [`_${withType}`, { ...relationship, builders: { project: { title: 1, slug: 1, _url: 1 } } }] as const
  })
  return widget('@cms/image', {
    label: 'Image',
    titleField: '_image',
    fields: {
      add: {
        _image: { type: 'relationship', withType: '@cms/image', max: 1 },
        caption: { type: 'string' },
        linkTo: {
          type: 'select',
          choices: [
            { value: 'none', label: 'Nothing' },
            ...linkable.map((value) => ({ value, label: labels.get(value) ?? value })),
            { value: URL, label: 'URL' },
          ],
          def: 'none',
        },
        linkHref: { type: 'url', label: 'URL', required: true, if: { linkTo: URL } },
        linkHrefTitle: { type: 'string', label: 'Title of the link', if: { linkTo: URL } },
        linkTitle: { type: 'string', label: 'Title of the link', if: { linkTo: linkable } },
        linkTarget: {
          type: 'checkboxes',
          choices: [{ value: '_blank', label: 'Open in a new tab' }],
          if: { linkTo: [...linkable, URL] },
        },
        ...Object.fromEntries(pages),
      },
    },
  })
}

function isTaken(name: string): boolean {
  return name === '_image' || WIDGET_PROPERTIES.includes(name) || fieldNameMistake(name, true) !== null
}

const video = widget('@cms/video', {
  label: 'Video',
  titleField: 'video',
  fields: { add: { video: { type: 'oembed', required: true } } },
})

const html = widget('@cms/html', {
  label: 'HTML',
  fields: { add: { code: { type: 'string', textarea: true } } },
})

const file = widget('@cms/file', {
  label: 'File',
  titleField: '_file',
  fields: { add: { _file: { type: 'relationship', withType: '@cms/file', max: 1 } } },
})

const layout = widget('@cms/layout', {
  label: 'Layout',
  fields: { add: { columns: { type: 'area', widgets: { '@cms/layout-column': {} } } } },
})

/** Widgets that columns take in addition to those of the site. Raw HTML is not among them: areas allow it by name. */
const IN_COLUMNS = [richText, { name: '@cms/image' }, video, file]

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

/** The widget types every site has, by what it declares: layout columns hold its widgets, images link to its pages. */
export function builtInWidgets(site: {
  readonly widgets: readonly string[]
  readonly pageTypes: readonly LinkedType[]
}): readonly WidgetDeclaration[] {
  return [richText, imageWidget(site.pageTypes), video, html, file, layout, layoutColumn(site.widgets)]
}
