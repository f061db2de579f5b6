import type { JsonSchema } from '../../base/json.ts'
import type { ReadAccess } from '../../engine/permissions.ts'
import type { Type } from '../../model/declared/types.ts'
import { changeRowSchema } from './change-schemas.ts'

// What documents have besides the fields of their type (§2.1, §2.2), for the OpenAPI document.

type Properties = { readonly [name: string]: JsonSchema }

const text = (description: string): JsonSchema => ({ type: 'string', description })
const time = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description })
const allowed = (description: string): JsonSchema => ({ type: 'boolean', const: true, description })

/**
 * The properties of every document of a type; those that no projection removes, and those that are always present.
 */
export function documentProperties(type: Type, access: ReadAccess) {
  const localeAndMode = {
    aposLocale: { ...text('Locale and mode.'), examples: ['en:published'] },
    aposMode: { type: 'string', enum: ['draft', 'published'], description: 'Draft or published copy.' },
  }
  const identity: Properties = {
    _id: { ...text('Its id.'), examples: type.localized ? ['0abc:en:published'] : ['0abc'] },
    aposDocId: text('Its id without locale and mode.'),
    ...(type.localized ? localeAndMode : {}),
    type: { type: 'string', const: type.name, description: 'Its type.' },
    metaType: { type: 'string', const: 'doc', description: 'What it is.' },
  }
  const times: Properties = {
    createdAt: time('When it was made.'),
    updatedAt: time('When it was last saved.'),
    updatedBy: AUTHOR,
    ...(type.localized && {
      lastPublishedAt: { type: ['string', 'null'], format: 'date-time', description: 'When it was last published.' },
    }),
  }
  const seen = (properties: Properties) => namesSeen(type, access, properties)
  const always = Object.keys(identity)
  return {
    properties: {
      ...identity,
      ...seen(times),
      ...seen(SOMETIMES),
      ...(access.fields === 'full' ? schedules(type) : {}),
      ...(access.fields === 'full' ? ANNOTATIONS : {}),
    },
    required: [...always, ...Object.keys(seen(times)), ...(type.family === 'page' ? Object.keys(seen(PAGE_URL)) : [])],
    always,
  }
}

/** When drafts are published and archived by themselves (§3.9), of types with scheduling. */
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
  publishAt: { type: ['string', 'null'], format: 'date-time', description: 'When the draft is published by itself.' },
  archiveAt: { type: ['string', 'null'], format: 'date-time', description: 'When it is archived by itself.' },
}

/** What the global document says about the stylesheet of its locale and mode (§4.7). */
export function stylesheetProperties({ name }: Type, namespace: string): Properties {
  if (name !== `${namespace}/global`) return {}
  return {
    stylesStylesheet: text('The CSS of the global styles.'),
    stylesClasses: { type: 'array', items: { type: 'string' }, description: 'Their classes of the body.' },
    stylesStylesheetVersion: text('Another text for another stylesheet.'),
  }
}

/** What pages have in the tree; `page` is the schema of another page: an object, or an id. */
export function pageProperties(type: Type, access: ReadAccess, page: JsonSchema): Properties {
  if (type.family !== 'page') return {}
  return namesSeen(type, access, {
    level: { type: 'integer', minimum: 0, description: 'Its depth in the tree: 0 for the home page.' },
    rank: { type: 'integer', minimum: 0, description: 'Its index among its siblings.' },
    path: text('The aposDocIds from the home page down to it, joined by `/`.'),
    historicUrls: { type: 'array', items: { type: 'string' }, description: 'Its former URLs, which lead to it.' },
    parkedId: text('Built-in pages only: which one it is.'),
    parked: {
      type: 'array',
      items: { type: 'string' },
      description: 'Built-in pages only: the fields that are fixed.',
    },
    _ancestors: { type: 'array', items: page, description: 'The pages above it, home first.' },
    _children: { type: 'array', items: page, description: 'The pages below it, in order.' },
  })
}

function namesSeen(type: Type, access: ReadAccess, properties: Properties): Properties {
  if (access.fields === 'full') return properties
  return Object.fromEntries(Object.entries(properties).filter(([name]) => type.publicProjection?.has(name)))
}

/** What a body may say besides the values of fields. */
export const writeProperties = ({ scheduling }: Type): Properties => ({ ...MARKS, ...(scheduling && scheduleInputs) })

const MARKS: Properties = {
  _copyingId: text('POST: the _id of a document to copy.'),
  _restoreVersion: text('PUT of a draft: the _id of the version that is restored.'),
  _autosave: { type: 'boolean', description: 'The save may go into the version before it.' },
  _ai: { type: 'boolean', description: 'The save is marked as written by AI.' },
}

const PAGE_URL: Properties = { _url: text('Its public URL.') }

const SOMETIMES: Properties = {
  ...PAGE_URL,
  _parentUrl: text('The URL of the page that lists it.'),
  _parentSlug: text('The slug of the page that lists it.'),
  modified: { type: 'boolean', description: 'Drafts only: it differs from the published copy.' },
  copyOfId: text('The _id of the document that it was copied from.'),
}

const ANNOTATIONS: Properties = {
  _compared: {
    type: ['object', 'null'],
    description: 'With `compare`: what has changed in that locale; null when the document is not there.',
    required: ['locale', 'since', 'rows'],
    properties: {
      locale: text('The locale.'),
      since: time('When the document that was asked for was saved.'),
      rows: { type: 'array', items: changeRowSchema, description: 'What was changed since, in schema order.' },
    },
  },
  _edit: allowed('The caller may edit it.'),
  _create: allowed('The caller may make such documents.'),
  _publish: allowed('The caller may publish it.'),
  _delete: allowed('The caller may delete it.'),
}

/** Who saved a document last. */
export const AUTHOR: JsonSchema = {
  type: 'object',
  description: 'Who saved it last.',
  required: ['_id', 'firstName', 'lastName', 'username', 'title'],
  properties: {
    _id: { type: ['string', 'null'], description: 'The id of the user or key.' },
    firstName: text('The first name.'),
    lastName: text('The last name.'),
    username: { type: ['string', 'null'], description: 'The user name; null for keys.' },
    title: text('The name to show.'),
  },
}
