import { defineSite, page, piece, widget } from '../../cms/src/index.ts'

const article = piece('article', {
  label: 'Article',
  scheduling: true,
  fields: {
    add: {
      subtitle: { type: 'string', max: 160 },
      section: { type: 'select', def: 'news', choices: ['news', 'essay', 'portrait', 'diary'] },
      body: { type: 'area', widgets: { '@cms/rich-text': {}, quote: {}, notice: {}, '@cms/image': {} } },
      links: {
        type: 'array',
        titleField: 'label',
        fields: { add: { label: { type: 'string', required: true }, href: { type: 'url', required: true } } },
      },
      _topics: { type: 'relationship', withType: 'topic' },
      note: { type: 'string', label: 'Note to editors', textarea: true },
      fee: { type: 'integer', label: 'Fee of the author', viewPermission: 'editor', editPermission: 'editor' },
    },
  },
})

const topic = piece('topic', { label: 'Topic', fields: { add: { blurb: { type: 'string', max: 200 } } } })

/** One copy, which readers see: agents only read it. */
const author = piece('author', {
  label: 'Author',
  localized: false,
  fields: { add: { bio: { type: 'string', max: 300 } } },
})

/** Nothing for contributors, nor for their agents. */
const contract = piece('contract', {
  label: 'Contract',
  viewRole: 'editor',
  fields: { add: { partner: { type: 'string' } } },
})

const quote = widget('quote', {
  label: 'Quotation',
  fields: { add: { words: { type: 'string', required: true }, by: { type: 'string' } } },
})

const notice = widget('notice', {
  label: 'Notice',
  fields: { add: { text: { type: 'string', required: true }, urgent: { type: 'boolean' } } },
})

const plain = page('plain-page', {
  label: 'Plain page',
  fields: { add: { intro: { type: 'string', max: 300 }, main: { type: 'area', widgets: { '@cms/rich-text': {} } } } },
})

/** The site that editing tasks are about: a local newspaper in three languages. */
export const newsroomSite = defineSite({
  name: 'Harbour Post',
  types: [article, topic, author, contract, plain],
  widgets: [quote, notice],
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' }, de: { label: 'German', prefix: '/de' } },
})
