import type { JsonSchema } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { OPERATORS, operatorsOf } from '../../engine/lists/operators.ts'
import { sortNames } from '../../engine/lists/sorting.ts'
import { STATES } from '../../engine/lists/states.ts'
import { uploadFilter } from '../../engine/lists/upload-names.ts'
import { type Actor, may } from '../../engine/permissions.ts'
import { type TypeView, viewOf } from '../../engine/view.ts'
import {
  archived,
  compareParameter,
  localeRef,
  problemsParameter,
  renderAreasParameter,
} from '../../http/requests/read-parameters.ts'
import type { QueryParameter } from '../../http/requests/route.ts'
import { wantedOf } from '../../http/requests/wanted-parameters.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import type { Choice } from '../../model/field-type/value-terms.ts'
import { DATES, SCHEDULE_TIMES } from '../../model/terms/document-times.ts'
import { takesListParameter, unknownFacets } from './list-request.ts'

const text: JsonSchema = { type: 'string' }
const texts: JsonSchema = { type: 'array', items: text }

function parameter(name: string, description: string, schema: JsonSchema = text): QueryParameter {
  return { name, description, schema }
}

/** The query of a single document (§4.1 GET single). */
export function singleParameters({ locales }: Site, type: Type): readonly QueryParameter[] {
  const shared = sharedParameters(type)
  if (!type.localized) return shared
  return [...shared, problemsParameter, ...(locales.size > 1 ? [compareParameter] : [])]
}

const sharedParameters = (type: Type): readonly QueryParameter[] => [
  archived,
  ...wantedOf(seenAs(type)),
  renderAreasParameter,
]

/** The type as the caller sees it, where `project` is no field of theirs. */
function seenAs(type: Type): (ctx: Context) => readonly TypeView[] {
  return ({ actor }) => {
    const seen = viewOf(actor, type)
    return seen === null || seen.field('project') !== null ? [] : [seen]
  }
}

/** Parameters of the answer to a write, without names that fields of the piece have. */
export function answeredParameters(type: Type): readonly QueryParameter[] {
  return wantedOf(seenAs(type)).filter(({ name }) => !type.fields.byName.has(name))
}

/** Which list of a type it is, and the names that it takes. */
export function listNames(type: Type, site: Site) {
  const takesParameter = (ctx: Context, name: string) => takesListParameter(ctx, type, name)
  return { method: 'GET', path: `/api/v1/${type.name}`, query: listParameters(type, site), takesParameter } as const
}

/** The query of a list of this type (§4.1 GET list), with a filter for each of its fields. */
function listParameters(type: Type, site: Site): QueryParameter[] {
  const { limits } = site
  const page = { type: 'integer', minimum: 1, default: 1 }
  const perPage = { type: 'integer', minimum: 1, maximum: limits.perPage, default: type.perPage }
  const built = [
    parameter('page', 'Which page, from 1.', page),
    parameter('perPage', 'How many documents on a page.', perPage),
    parameter('search', 'All of these words, anywhere: as written, by their stems, else with one mistake.'),
    parameter('autocomplete', 'All of these words, the last one by its beginning.'),
    parameter('highlight', 'With `true`, results have `_highlight`: what a search has found in them.', HIGHLIGHT),
    parameter('_ids', 'These documents, in this order.', { ...texts, maxItems: limits.ids }),
    sortParameter(type),
    ...stateParameters(type),
    ...localeParameters(type, site),
    parameter('where', WHERE_TEXT, WHERE),
    facetParameter(type, 'choices', 'Names of filters, with commas: answer the values in use of each.'),
    facetParameter(type, 'counts', 'As choices, with how many documents have each value.'),
  ]
  const queries = [...type.queries.values()].map((query) =>
    parameter(query.name, query.description || `The query ${query.name}.`, query.jsonSchema),
  )
  const taken: ReadonlySet<string> = new Set(type.fields.byName.keys())
  return [
    ...sharedParameters(type).filter(({ name }) => !taken.has(name) || name === 'archived'),
    ...built.filter(({ name }) => !taken.has(name)),
    ...queries,
    ...uploadParameters
      .filter(({ name }) => uploadFilter(site, type, name) !== null)
      .map((one) => forReaders(type, one)),
    ...type.fields.list.flatMap((field) => forThoseWhoSee(type, field, filterParameters(field))),
    ...scheduleParameters(type),
    ...DATES.map((name) => ({
      ...parameter(name, `When it was ${name === 'createdAt' ? 'made' : 'last saved'}: [min] and [max].`, DATE),
      isFor: (actor: Actor) => viewOf(actor, type)?.showsDate(name) === true,
    })),
  ]
}

function facetParameter(type: Type, name: 'choices' | 'counts', description: string): QueryParameter {
  return { ...parameter(name, description), unknownNames: (ctx, value) => unknownFacets(ctx, type, { name, value }) }
}

const uploadParameters: readonly QueryParameter[] = [
  parameter('hasAlt', 'With alternative text, or without.', { type: 'boolean' }),
  parameter('isUsed', 'Used by other documents, or not. For callers who may read drafts.', { type: 'boolean' }),
  parameter('extension', 'The extension of the file, or one of several.', texts),
  parameter('minWidth', 'Images that are at least so many pixels wide.', { type: 'integer', minimum: 0 }),
  parameter('minHeight', 'Images that are at least so many pixels high.', { type: 'integer', minimum: 0 }),
]

function forReaders(type: Type, one: QueryParameter): QueryParameter {
  return one.name === 'isUsed' ? { ...one, isFor: (actor: Actor) => may(actor, 'readDraft', type) } : one
}

const HIGHLIGHT: JsonSchema = { type: 'string', enum: ['true', '1', 'false', '0'], default: 'false' }

/** By state, and by who saved last. */
function stateParameters(type: Type): QueryParameter[] {
  const isFor = (actor: Actor) => may(actor, 'readDraft', type)
  const states = { ...texts, items: { type: 'string', enum: STATES } }
  return [
    { ...parameter('state', STATE_TEXT, states), isFor },
    { ...parameter('updatedBy', 'Saved last by this user, or by one of several: their ids.', texts), isFor },
  ]
}

/** By what another locale has of them. */
function localeParameters(type: Type, { locales }: Site): QueryParameter[] {
  if (!type.localized || locales.size < 2) return []
  const isFor = (actor: Actor) => may(actor, 'readDraft', type)
  return [
    { ...parameter('missingIn', 'Documents that this locale lacks.', localeRef), isFor },
    { ...parameter('outdatedIn', 'Documents published after they were last saved in this locale.', localeRef), isFor },
  ]
}

const STATE_TEXT =
  'Drafts that are not published (`draft`), that differ from what is published (`modified`), that do not (`published`), or `archived` documents; several with commas. The list is of drafts then. `counts=state` counts them.'

/** By the times of the schedules of drafts. */
function scheduleParameters(type: Type): QueryParameter[] {
  if (!type.scheduling) return []
  return SCHEDULE_TIMES.map((name) => ({
    ...parameter(
      name,
      `When the draft is ${name === 'publishAt' ? 'published' : 'archived'} by itself: [min] and [max], [$exists] …`,
      DATE,
    ),
    isFor: (actor: Actor) => viewOf(actor, type)?.showsSchedule(name) === true,
  }))
}

/** By one field, as text; or by several, as an object. */
function sortParameter(type: Type): QueryParameter {
  const text =
    'By a field, or by `-` and a field in descending order: `sort=-title`. Several: `sort[title]=1`, or `-1`.'
  const namesFor = (actor: Actor) => {
    const view = viewOf(actor, type)
    return view === null ? [] : sortNames(view)
  }
  return {
    ...parameter('sort', text, {}),
    isFor: (actor) => namesFor(actor).length > 0,
    schemaFor: (actor) => sortSchema(namesFor(actor)),
  }
}

function sortSchema(names: readonly string[]): JsonSchema {
  const direction = { type: 'integer', enum: [1, -1], description: '`1` ascending, `-1` descending.' }
  const properties = Object.fromEntries(names.map((name) => [name, direction]))
  return {
    oneOf: [
      { type: 'string', enum: [...names, ...names.map((name) => `-${name}`)] },
      { type: 'object', properties, additionalProperties: false },
    ],
  }
}

/** Restricts parameters to callers who see the field: only they can filter by it. */
function forThoseWhoSee(type: Type, field: Field, parameters: readonly QueryParameter[]): QueryParameter[] {
  const isFor = (actor: Actor) => viewOf(actor, type)?.fields.includes(field) === true
  return parameters.map((one) => ({ ...one, isFor }))
}

function filterParameters(field: Field): QueryParameter[] {
  const { name, label, type, options } = field
  if (name === 'archived') return []
  if (type.relation === 'forward') {
    const slug = name.slice(1)
    return [
      parameter(name, `Related by ${label}: an id, several (one of them), or \`none\`.`, texts),
      parameter(`${name}And`, `Related by ${label} to all of these ids.`, texts),
      parameter(slug, `Related by ${label}: a slug, several, or \`none\`.`, texts),
      parameter(`${slug}And`, `Related by ${label} to all of these slugs.`, texts),
    ]
  }
  if (!type.index) return []
  const scalar = type.scalar?.(options)
  const operators = `, or operators: ${OPERATORS[operatorsOf(field)].join(', ')}`
  if (type.choices)
    return [
      parameter(name, `${label}: one of these values${operators}.`, compared(field, choiceOf(type.choices(options)))),
    ]
  if (scalar === 'boolean') return [parameter(name, `${label}: true or false.`, { type: 'boolean' })]
  const value: JsonSchema = scalar === 'number' ? { type: 'number' } : text
  return [parameter(name, `${label}: one of some values${operators}.`, compared(field, value))]
}

function choiceOf(choices: readonly Choice[]): JsonSchema {
  return { ...text, enum: choices.flatMap(({ value }) => (value === null ? [] : [String(value)])) }
}

const MEANING: { readonly [operator: string]: string } = {
  $eq: 'This value.',
  $in: 'One of these values.',
  $ne: 'Not this value.',
  $nin: 'None of these values.',
  $not: 'Not this value; with operators below it, not what they say.',
  $exists: 'Whether there is a value.',
  $gte: 'At least.',
  $gt: 'More, or later.',
  $lte: 'At most.',
  $lt: 'Less, or earlier.',
  $between: 'Two bounds, both included.',
  min: 'At least.',
  max: 'At most.',
}

/** Values; where these have bounds also one of them, or operators by name: generators send lists only where nothing else is. */
function compared(field: Field, value: JsonSchema): JsonSchema {
  const list = { type: 'array', items: value }
  if (operatorsOf(field) !== 'ordered') return list
  return { oneOf: [value, list, operatorsSchema([...OPERATORS.ordered, 'min', 'max'], value)] }
}

function operatorsSchema(names: readonly string[], value: JsonSchema): JsonSchema {
  const list = { type: 'array', items: value }
  const shapes: { readonly [operator: string]: JsonSchema } = {
    $in: list,
    $nin: list,
    $between: { ...list, minItems: 2, maxItems: 2 },
    $exists: { type: 'boolean' },
  }
  const properties = names.map((name) => [name, { ...(shapes[name] ?? value), description: MEANING[name] }])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

/** Dates that every document has. */
const DATE: JsonSchema = { oneOf: [text, texts, operatorsSchema([...OPERATORS.ordered, 'min', 'max'], text)] }

const WHERE: JsonSchema = { type: 'string', contentMediaType: 'application/json' }
const WHERE_TEXT =
  'Conditions as JSON, all of which hold: values and operators by field, also of related documents (`_rel.field`), and groups under `$and`, `$or` and `$not`: `{"$or":[{"price":{"$lt":5}},{"_makers.country":"it"}]}`.'
