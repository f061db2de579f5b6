import type { JsonSchema } from '../../base/json.ts'

const text = (description: string): JsonSchema => ({ type: 'string', description })
const orNull = (description: string): JsonSchema => ({ type: ['string', 'null'], description })
const date = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description })

const VERSION = {
  _id: text('The id of the version.'),
  createdAt: date('When it was recorded.'),
  updatedAt: date('When an autosave updated it last.'),
  mode: { type: 'string', enum: ['draft', 'published'], description: 'The copy that was saved.' },
  locale: orNull('Null for documents without locales.'),
  author: text('The name of the author, as it was then.'),
  authorId: orNull('The user or the key; null for the service itself.'),
  ai: { type: 'boolean', description: 'Whether it was saved with AI.' },
  restoredFrom: text('The version that was restored by it.'),
  changeCount: {
    type: 'integer',
    minimum: 0,
    description: 'How many changes there are, of those that the caller may see.',
  },
  versionIds: {
    type: 'array',
    items: { type: 'string' },
    description: 'Consolidated items only: the versions that it stands for, newest first.',
  },
  live: { type: 'boolean', description: 'Only true: the draft holds now what this version holds.' },
  label: text('A name that somebody gave it.'),
  data: { type: 'object', description: 'What the hook beforeVersion added.' },
} satisfies { readonly [name: string]: JsonSchema }

const required = ['_id', 'createdAt', 'mode', 'locale', 'author', 'authorId', 'ai', 'changeCount']
const next = {
  type: ['string', 'null'],
  format: 'date-time',
  description: 'The value of `before` for the following page; null on the last one.',
}

/** A version as lists have it. */
export const versionRecord: JsonSchema = { type: 'object', required, properties: VERSION }

/** A page of the versions of a document. */
export const versionList: JsonSchema = {
  type: 'object',
  required: ['results', 'next', 'total'],
  properties: {
    results: { type: 'array', items: versionRecord, description: 'Ten, or more where a run would be split.' },
    next,
    total: { type: 'integer', minimum: 0, description: 'How many versions match.' },
  },
}

/** A version with its document. */
export const versionWithDocument: JsonSchema = {
  type: 'object',
  required: [...required, 'doc'],
  properties: { ...VERSION, doc: { type: 'object', description: 'The document as of this version.' } },
}

const whole = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description })
const change = { type: 'string', enum: ['same', 'added', 'removed'], description: 'On which side it is.' }
const part = { type: 'object', required: ['text', 'change'], properties: { text: text('Some words.'), change } }
const image = {
  type: 'object',
  required: ['text', 'href', 'change'],
  properties: { text: text('The title.'), href: text('The address of a small size.'), change },
}
const images = { type: 'array', items: image }

const SEGMENT: JsonSchema = {
  type: 'object',
  required: ['name', 'label'],
  properties: {
    name: text('The name of a field; the _id of an item or a widget.'),
    label: text('What people call it.'),
    ordinal: { type: 'integer', minimum: 1, description: 'Of items and widgets.' },
    title: text('Of a widget that has one.'),
    widgetType: text('Of widgets.'),
  },
}

const FORMAT_CHANGE: JsonSchema = {
  type: 'object',
  required: ['change', 'type', 'label', 'text'],
  properties: {
    change: text('For programs: `link`, `imageAlt` and others.'),
    type: { type: 'string', enum: ['added', 'modified', 'deleted'], description: 'What happened to it.' },
    label: text('What was changed.'),
    text: text('The words that it affects.'),
    href: text('Of an image.'),
    old: { type: 'object', description: 'As it was: `text`, perhaps `href` or `url`.' },
    new: { type: 'object', description: 'As it is: `text`, perhaps `href` or `url`.' },
  },
}

const ROW: JsonSchema = {
  type: 'object',
  required: ['path', 'type', 'kind', 'fieldType', 'oldText', 'newText', 'ai'],
  properties: {
    path: { type: 'array', items: SEGMENT, description: 'From the top-level field down.' },
    type: { type: 'string', enum: ['added', 'modified', 'deleted'], description: 'What happened to it.' },
    kind: {
      type: 'string',
      enum: ['leaf', 'richText', 'object', 'relationship', 'widget', 'arrayItem', 'area', 'array'],
      description: 'What was changed; `area` and `array` tell of an order.',
    },
    fieldType: text('For display: the name of the field type.'),
    old: { description: 'The value as it was stored.' },
    new: { description: 'The value as it is stored.' },
    oldText: text('The same for people.'),
    newText: text('The same for people.'),
    diff: { type: 'array', items: part, description: 'Word by word; not for texts that have little in common.' },
    formatChanges: { type: 'array', items: FORMAT_CHANGE, description: 'Of rich text: what its words do not show.' },
    images: {
      type: 'object',
      required: ['old', 'new'],
      properties: { old: images, new: images },
      description: 'Of relationships to images.',
    },
    ai: {
      enum: ['changed', 'assisted', false],
      description: 'Whether AI made the last change, or a person after AI had made one.',
    },
  },
}

/** What a version has changed. */
export const versionChanges: JsonSchema = {
  type: 'object',
  required: ['rows', 'counts', 'versionIds', 'compared'],
  properties: {
    rows: { type: 'array', items: ROW, description: 'In schema order, one change each.' },
    counts: {
      type: 'object',
      required: ['added', 'modified', 'deleted', 'ai'],
      properties: {
        added: whole('Rows of this type.'),
        modified: whole('Rows of this type.'),
        deleted: whole('Rows of this type.'),
        ai: whole('Rows that AI had a part in.'),
      },
      description: 'How many rows there are.',
    },
    versionIds: { type: 'array', items: { type: 'string' }, description: 'The versions covered, newest first.' },
    compared: {
      type: 'boolean',
      description: 'False when there is nothing to compare with: for first and restored versions.',
    },
  },
}

/** Names a version. */
export const labelBody: JsonSchema = {
  type: 'object',
  required: ['label'],
  properties: { label: { type: ['string', 'null'], maxLength: 200, description: 'Null takes it away.' } },
}

/** A page of the newest versions of all documents. */
export const recentVersions: JsonSchema = {
  type: 'object',
  required: ['results', 'next'],
  properties: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        required: [...required, 'docId', 'type'],
        properties: {
          ...VERSION,
          docId: text('The _id of the document, in the mode that was saved.'),
          type: text('The type of the document.'),
          title: text('The title that its draft has now.'),
        },
      },
      description: 'Ten, or more where they were recorded in one millisecond.',
    },
    next,
  },
}
