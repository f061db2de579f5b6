import type { JsonSchema } from '../../base/json.ts'
import { boolean, describedObject, integer, list, object, oneOf, refTo, text, texts } from '../../base/json-schema.ts'
import type { QueryParameter } from '../requests/route.ts'

const TYPE = oneOf(['added', 'modified', 'deleted'], 'What has happened.')

const segment = object(['name', 'label'], {
  name: text('The name of a field, or the _id of an item, a widget or a related document.'),
  label: text('What it is called.'),
  ordinal: { type: 'integer', minimum: 1, description: 'Items and widgets: which one, from 1.' },
  title: text('Widgets: the text of the field that names them.'),
  widgetType: text('Widgets: their type.'),
})

const diffPart = object(['text', 'change'], {
  text: text('Some of the text.'),
  change: oneOf(
    ['same', 'added', 'removed'],
    '`same` and `removed` join to the older text, `same` and `added` to the newer.',
  ),
})

const SIDE = {
  text: text('What it was or is.'),
  href: text('The address of an image.'),
  url: text('The URL of a document of the site.'),
}

const formatChange = object(['change', 'type', 'label', 'text'], {
  change: text('What has changed, for programs.'),
  type: TYPE,
  label: text('What has changed, for people.'),
  text: text('The words concerned, on one line; of images their title.'),
  href: text('The address of the image.'),
  old: describedObject('What it led to or looked like; absent where nothing can be compared.', ['text'], SIDE),
  new: describedObject('What it leads to or looks like; absent where nothing can be compared.', ['text'], SIDE),
})

const image = object(['text', 'href', 'change'], {
  text: text('Its title.'),
  href: text('Its address, at one third of its size.'),
  change: oneOf(['same', 'added', 'removed'], 'Whether the other side has it.'),
})

/** A change as answers show it (§2.5): a component of the document. */
export const changeRowRef = refTo('ContentChange')

/** The component that `changeRowRef` refers to. */
export const changeRowSchema: JsonSchema = object(['path', 'type', 'kind', 'fieldType', 'oldText', 'newText', 'ai'], {
  path: list(segment, 'The steps that lead to it, from the top-level field down.'),
  type: TYPE,
  kind: oneOf(
    ['leaf', 'richText', 'object', 'relationship', 'widget', 'arrayItem', 'area', 'array'],
    'What was changed; `area` and `array`: the order of their widgets and items.',
  ),
  fieldType: text('The field type, `widget` or `arrayItem`; for display.'),
  old: { description: 'What it was, as stored; absent when it was added.' },
  new: { description: 'What it is, as stored; absent when it was deleted.' },
  oldText: text('What it was, for people.'),
  newText: text('What it is, for people.'),
  diff: list(diffPart, 'Both texts, word by word; absent where they differ too much.'),
  formatChanges: list(formatChange, 'Rich text only: changes that its words do not show.'),
  images: describedObject('Relationships to images only.', ['old', 'new'], {
    old: list(image, 'The images on the older side.'),
    new: list(image, 'The images on the newer side.'),
  }),
  // Apart: generators know no enum of texts and booleans.
  ai: {
    oneOf: [
      { type: 'string', enum: ['changed', 'assisted'] },
      { type: 'boolean', const: false },
    ],
    description: 'Whether AI made the last change, or an earlier one.',
  },
})

/** Asks for all that a draft holds, where nothing is published (§4.4). */
export const wholeParameter: QueryParameter = {
  name: 'whole',
  description: '`1`: of a document that was never published, all that it holds, as added.',
  schema: { type: 'string', enum: ['0', '1', 'true', 'false'], default: '0' },
}

/** The changes of a version, or of a draft since it was published (§4.4). */
export const changesAnswer: JsonSchema = object(['rows', 'counts', 'versionIds', 'compared'], {
  rows: list(changeRowRef, 'In schema order, one change each.'),
  counts: describedObject('How many rows there are.', ['added', 'modified', 'deleted', 'ai'], {
    added: integer('Rows of this type.'),
    modified: integer('Rows of this type.'),
    deleted: integer('Rows of this type.'),
    ai: integer('Rows that AI had a part in.'),
  }),
  versionIds: texts('The versions covered, newest first.'),
  olderId: text('Of versions: the one that it is compared with, where it is.'),
  compared: boolean(
    'False when there is nothing to compare with: for first and restored versions, and drafts that are not published.',
  ),
})
