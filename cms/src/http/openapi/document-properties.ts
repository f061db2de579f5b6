import type { JsonSchema } from '../../base/json.ts'
import {
  boolean,
  dateTime,
  dateTimeOrNull,
  describedObject,
  integer,
  list,
  oneOf,
  onlyTrue,
  refTo,
  text,
  textOrNull,
  texts,
} from '../../base/json-schema.ts'
import type { TypeView } from '../../engine/view.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import { changeRowRef } from './change-schemas.ts'
import { problemsSchema } from './problem-schemas.ts'

// Properties of documents in addition to the fields of their type (§2.1, §2.2), for the OpenAPI document.

type Properties = { readonly [name: string]: JsonSchema }

/**
 * The properties of every document of a type; those that no projection removes, and those that are always present.
 */
export function documentProperties(view: TypeView) {
  const { type } = view
  const localeAndMode = {
    aposLocale: { ...text('Locale and mode.'), examples: ['en:published'] },
    aposMode: oneOf(['draft', 'published'], 'Draft or published copy.'),
  }
  const identity: Properties = {
    _id: { ...text('Its id.'), examples: type.localized ? ['0abc:en:published'] : ['0abc'] },
    aposDocId: text('Its id without locale and mode.'),
    ...(type.localized ? localeAndMode : {}),
    type: { type: 'string', const: type.name, description: 'Its type.' },
    metaType: { type: 'string', const: 'doc', description: 'What it is.' },
  }
  const times: Properties = {
    createdAt: dateTime('When it was made.'),
    updatedAt: dateTime('When it was last saved.'),
    updatedBy: AUTHOR_REF,
    ...(type.localized && { lastPublishedAt: dateTimeOrNull('When it was last published.') }),
  }
  const seen = (properties: Properties) => namesSeen(view, properties)
  const always = Object.keys(identity)
  return {
    properties: {
      ...identity,
      ...seen(times),
      ...seen(SOMETIMES),
      ...(view.kind === 'full' ? { ...schedules(type), ...ANNOTATIONS } : {}),
    },
    required: [...always, ...Object.keys(seen(times)), ...(type.family === 'page' ? Object.keys(seen(PAGE_URL)) : [])],
    always,
  }
}

/** Returns the times at which drafts are published and archived (§3.9), for types with scheduling. */
function schedules({ scheduling }: Type): Properties {
  if (!scheduling) return {}
  const error = {
    type: 'object',
    required: ['action', 'at', 'message'],
    description: 'What could not be done then, and why.',
  }
  return { ...scheduleInputs, scheduleError: { oneOf: [error, { type: 'null' }] } }
}

const scheduleInputs: Properties = {
  publishAt: dateTimeOrNull('When the draft is published by itself.'),
  archiveAt: dateTimeOrNull('When it is archived by itself.'),
}

/** Returns the mark of related documents that stand in for missing ones (§4.5), on sites where some do. */
export function fallbackProperties({ locales }: Pick<Site, 'locales'>): Properties {
  if (![...locales.values()].some(({ fallbacks }) => fallbacks.length > 0)) return {}
  return {
    _fallback: text('Its locale, where it stands in for a document that the locale of the answer does not have.'),
  }
}

/** Returns the properties of the global document for the stylesheet of its locale and mode (§4.7). */
export function stylesheetProperties({ name }: Type, namespace: string): Properties {
  if (name !== `${namespace}/global`) return {}
  return {
    stylesStylesheet: text('The CSS of the global styles.'),
    stylesClasses: texts('Their classes of the body.'),
    stylesStylesheetVersion: text('Another text for another stylesheet.'),
  }
}

/** Returns the properties of pages in the tree; `page` is the schema of another page: an object, or an id. */
export function pageProperties(view: TypeView, page: JsonSchema): Properties {
  if (view.type.family !== 'page') return {}
  return namesSeen(view, {
    level: integer('Its depth in the tree: 0 for the home page.'),
    rank: integer('Its index among its siblings.'),
    path: text('The aposDocIds from the home page down to it, joined by `/`.'),
    historicUrls: texts('Its former URLs, which lead to it.'),
    parkedId: text('Built-in pages only: which one it is.'),
    parked: texts('Built-in pages only: the fields that are fixed.'),
    _ancestors: list(page, 'The pages above it, home first.'),
    _children: list(page, 'The pages below it, in order.'),
  })
}

function namesSeen(view: TypeView, properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => view.shows(name)))
}

/** The properties that a body may have in addition to fields. */
export const writeProperties = ({ scheduling }: Type): Properties => ({ ...MARKS, ...(scheduling && scheduleInputs) })

const MARKS: Properties = {
  _copyingId: text('POST: the _id of a document to copy.'),
  _restoreVersion: text('PUT of a draft: the _id of the version that is restored.'),
  _autosave: boolean('The save may go into the version before it, and a draft may lack what publishing asks for.'),
  _incomplete: boolean('A draft may lack what publishing asks for; so may an autosave.'),
  _ai: boolean('The save is marked as written by AI.'),
}

const PAGE_URL: Properties = { _url: text('Its public URL.') }

const SOMETIMES: Properties = {
  ...PAGE_URL,
  _parentUrl: text('The URL of the page that lists it.'),
  _parentSlug: text('The slug of the page that lists it.'),
  modified: boolean('Drafts only: it differs from the published copy.'),
  copyOfId: text('The _id of the document that it was copied from.'),
}

const ANNOTATIONS: Properties = {
  _compared: {
    type: ['object', 'null'],
    description: 'With `compare`: what has changed in that locale; null when the document is not there.',
    required: ['locale', 'since', 'rows'],
    properties: {
      locale: text('The locale.'),
      since: dateTime('When the document that was asked for was saved.'),
      rows: list(changeRowRef, 'What was changed since, in schema order.'),
    },
  },
  _problems: {
    ...problemsSchema,
    description:
      'Of a draft, with `problems` and after saves that may be incomplete: what keeps it from being published.',
  },
  _highlight: {
    type: 'object',
    additionalProperties: text('A passage as HTML: what was found is in `<mark>`.'),
    description: 'Of a search, with `highlight`: by field, what was found.',
  },
  _edit: onlyTrue('The caller may edit it.'),
  _create: onlyTrue('The caller may make such documents.'),
  _publish: onlyTrue('The caller may publish it.'),
  _delete: onlyTrue('The caller may delete it.'),
}

/** The user or key that saved a document last: a component of the document. */
export const AUTHOR_REF = refTo('SavedBy')

/** The component that `AUTHOR_REF` refers to. */
export const AUTHOR = describedObject('Who saved it last.', ['_id', 'firstName', 'lastName', 'username', 'title'], {
  _id: textOrNull('The id of the user or key.'),
  firstName: text('The first name.'),
  lastName: text('The last name.'),
  username: textOrNull('The user name; null for keys.'),
  title: text('The name to show.'),
})
