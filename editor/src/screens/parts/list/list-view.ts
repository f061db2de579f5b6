import type { FieldInfo, Json, JsonObject, TypeInfo } from 'quire-client'
import type { RequestOptions } from '../../../data/request-options.ts'
import { t } from '../../../words/words.ts'
import { builtInQuery } from './built-in-filters.ts'

export const ROWS = 50
export const STATES = ['draft', 'modified', 'published', 'archived'] as const

export type ListState = (typeof STATES)[number]

/** The view of a list: all of it is in the address, so that a link shows the same. */
export interface ListView {
  readonly search: string
  readonly state: ListState | null
  /** A name, with `-` before it for the other direction; empty for the order of the type. */
  readonly sort: string
  readonly page: number
  /** By `field`, `field.from` and `field.to`, or `field.missing` for those without a value. */
  readonly filters: Readonly<Record<string, string>>
}

type Query = Readonly<Record<string, string>>
type QueryValue = NonNullable<RequestOptions['query']>[string]

/** Reads a view from the query of an address. What is not understood is left out. */
export function viewOf(query: Query): ListView {
  const filters = Object.entries(query).flatMap(([name, value]) =>
    name.startsWith('f.') && value !== '' ? [[name.slice(2), value] as const] : [],
  )
  return {
    search: query.search ?? '',
    state: STATES.find((state) => state === query.state) ?? null,
    sort: query.sort ?? '',
    page: Math.max(1, Math.floor(Number(query.page)) || 1),
    filters: Object.fromEntries(filters),
  }
}

/** The query of the address that shows a view. */
export function queryOf({ search, state, sort, page, filters }: ListView): Query {
  return {
    ...(search === '' ? {} : { search }),
    ...(state === null ? {} : { state }),
    ...(sort === '' ? {} : { sort }),
    ...(page === 1 ? {} : { page: String(page) }),
    ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [`f.${name}`, value])),
  }
}

/** Whether anything but the order narrows the list. */
export function isNarrowed({ search, state, filters }: ListView): boolean {
  return search !== '' || state !== null || Object.keys(filters).length > 0
}

/** The request for a view (§4.1). */
export function requestOf(view: ListView, type: TypeInfo): RequestOptions {
  const conditions = new Map<string, Record<string, string>>()
  const plain: Record<string, QueryValue> = {}
  for (const [name, value] of Object.entries(view.filters)) {
    Object.assign(plain, builtInQuery(name, value))
    const [, field = name, test = ''] = /^(.*)\.(from|to|missing)$/.exec(name) ?? []
    // An address may come from anybody, and must not name other parameters of the service.
    if (!type.fields.some((own) => own.name === field) && !isQuery(type, name)) continue
    if (test === '') plain[parameterOf(name, type.fields)] = value
    else conditions.set(field, { ...conditions.get(field), ...conditionOf(test, value) })
  }
  return {
    mode: type.localized ? 'draft' : 'published',
    query: {
      perPage: ROWS,
      page: view.page,
      ...(view.search === '' ? {} : { search: view.search }),
      ...(view.state === null ? {} : { state: view.state }),
      ...(view.sort === '' ? {} : { sort: view.sort }),
      ...plain,
      ...Object.fromEntries(conditions),
    },
  }
}

function conditionOf(test: string, value: string): Record<string, string> {
  if (test === 'missing') return { $exists: 'false' }
  return { [test === 'from' ? '$gte' : '$lte']: value }
}

/** Choices that may be several are asked for as any of them. */
function parameterOf(name: string, fields: readonly FieldInfo[]): string {
  const field = fields.find((one) => one.name === name)
  return field?.type === 'checkboxes' ? `${name}Or` : name
}

/** They are shown and asked for as the state, and who may see. */
const NOT_SHOWN = ['archived', 'visibility']
const IN_COLUMNS = [
  'select',
  'radio',
  'date',
  'dateAndTime',
  'boolean',
  'integer',
  'float',
  'relationship',
  'attachment',
]
const MOST_COLUMNS = 2

/** The fields that a list shows in addition to title and state: the first that can be read at a glance. */
export function columnsOf({ fields }: TypeInfo): readonly FieldInfo[] {
  const own = fields.filter(({ type, name }) => IN_COLUMNS.includes(type) && !NOT_SHOWN.includes(name))
  return own.slice(0, MOST_COLUMNS)
}

/** The sort after a press on the head of a column: upwards, then downwards. */
export function nextSort(present: string, name: string): string {
  return present === name ? `-${name}` : name
}

/** The fields that a list can be narrowed by. */
export function filtersOf(type: TypeInfo): readonly FieldInfo[] {
  const isOffered = ({ name, filter }: FieldInfo) =>
    filter !== undefined && filter !== 'text' && !NOT_SHOWN.includes(name)
  return [...type.fields.filter(isOffered), ...queriesOf(type)]
}

/** The filters that a type has in addition to those of its fields, as far as a list can offer them, as if they were fields. */
export function queriesOf({ queries = [] }: TypeInfo): readonly FieldInfo[] {
  return queries.flatMap(({ name, description, schema }) => {
    const filter = kindOfQuery(schema)
    if (filter === null) return []
    const choices = Array.isArray(schema.enum) ? schema.enum.map((value: Json) => choiceOf(value)) : []
    return [{ name, type: QUERY, label: t.list.query(name), help: description ?? '', options: { choices }, filter }]
  })
}

/** The type of what stands for a filter of its own. */
const QUERY = 'query'

function kindOfQuery({ type, enum: choices }: JsonObject): 'boolean' | 'choices' | 'text' | null {
  if (type === 'boolean') return type
  if (Array.isArray(choices)) return 'choices'
  return ['string', 'integer', 'number'].includes(String(type)) ? 'text' : null
}

function choiceOf(value: Json): { readonly value: string; readonly label: string } {
  return { value: String(value), label: String(value) }
}

function isQuery(type: TypeInfo, name: string): boolean {
  return queriesOf(type).some((one) => one.name === name)
}

/** Filters with another value of one of them; empty takes it out. */
export function withFilter(filters: ListView['filters'], name: string, value: string): ListView['filters'] {
  const { [name]: _, ...others } = filters
  return value === '' ? others : { ...others, [name]: value }
}
