import type { Dice } from './dice.ts'
import { PHRASES, TYPES } from './lists-site.ts'
import { plainLetters } from './lists-truth.ts'
import { TIMES } from './lists-writes.ts'

/** Who asks. The user's role changes. */
export const CALLERS = ['anonymous', 'anonymous', 'guest', 'contributor', 'editor', 'admin', 'ai', 'user'] as const
export type Calling = (typeof CALLERS)[number]

/** A filter by one parameter: some values, or bounds. */
export interface Filter {
  readonly name: string
  readonly values: readonly string[] | null
  readonly min?: string | undefined
  readonly max?: string | undefined
  readonly exists?: boolean
}

/** A list that is asked for; of an index page, where it is a visit. */
export interface ListQuestion {
  readonly caller: Calling
  readonly isVisit: boolean
  readonly type: string
  readonly locale: string
  readonly mode: 'draft' | 'published'
  readonly filters: readonly Filter[]
  readonly archived: 'true' | 'any' | null
  /** The list is of drafts then. */
  readonly states: readonly string[] | null
  readonly search: string
  readonly autocomplete: string
  readonly sort: readonly (readonly [string, 1 | -1])[]
  readonly ids: readonly string[] | null
  readonly choices: readonly string[]
  readonly counts: readonly string[]
  readonly page: number
  readonly perPage: number | null
}

/** What questions ask by: ids and slugs of documents by type. */
export interface QuestionSource {
  readonly dice: Dice
  readonly ids: Readonly<Record<string, readonly string[]>>
  readonly slugs: Readonly<Record<string, readonly string[]>>
  /** Who has saved something. */
  readonly userIds: readonly string[]
}

const RELATIONSHIPS = Object.keys(TYPES.product?.relationships ?? {})
const FILTERED = ['kind', 'topics', 'price', 'note', 'secretNumber'] as const
const FACETS = [
  ...['note', 'price', 'qty', 'kind', 'tags', 'active', 'day', 'at', 'mail', 'secretNote', 'secretNumber', 'title'],
  ...RELATIONSHIPS,
  ...RELATIONSHIPS.map((name) => name.slice(1)),
]

export function randomListQuestion(asked: QuestionSource): ListQuestion {
  const { dice } = asked
  const isVisit = dice.isBelow(0.15)
  const type =
    isVisit || dice.isBelow(0.7) ? 'product' : dice.pick(Object.keys(TYPES).filter((name) => name !== 'text-page'))
  const question: ListQuestion = {
    caller: dice.pick(CALLERS),
    isVisit,
    type,
    locale: dice.pick(['en', 'en', 'en', 'fr', 'it']),
    mode: dice.isBelow(0.25) ? 'draft' : 'published',
    filters: eachOnce([...(type === 'product' ? filtersOf(asked, isVisit) : []), ...(isVisit ? [] : own(asked, type))]),
    archived: null,
    states: null,
    search: '',
    autocomplete: '',
    sort: [],
    ids: null,
    choices: isVisit ? [...FILTERED] : [],
    counts: isVisit ? [...FILTERED] : [],
    page: dice.pick([1, 1, 1, 2, 3]),
    perPage: null,
  }
  return isVisit ? question : { ...question, ...listParts(asked, type) }
}

function listParts(asked: QuestionSource, type: string): Partial<ListQuestion> {
  const { dice } = asked
  const names = [
    ...(type === 'product' ? SCHEDULE : []),
    'createdAt',
    'updatedAt',
    'lastPublishedAt',
    'title',
    ...Object.keys(TYPES[type]?.fields ?? {}).filter((name) => name !== 'title'),
  ]
  const isSorted = dice.isBelow(0.4)
  const ids = asked.ids[type] ?? []
  return {
    archived: dice.isBelow(0.2) ? dice.pick(['true', 'any']) : null,
    states: dice.isBelow(0.2) ? [dice.pick(STATES), dice.pick(STATES)] : null,
    search: dice.isBelow(0.35) ? searched(dice) : '',
    autocomplete: dice.isBelow(0.2) ? beginning(dice) : '',
    sort: isSorted ? dice.some(names, 2).map((name) => [name, dice.pick([1, -1])] as const) : [],
    ids: dice.isBelow(0.08) && ids.length > 0 ? [dice.pick(ids), 'none', dice.pick(ids), ...dice.some(ids, 4)] : null,
    choices: type === 'product' && dice.isBelow(0.3) ? dice.some(FACETS, 3) : [],
    counts: type === 'product' && dice.isBelow(0.3) ? dice.some(FACETS, 3) : [],
    perPage: dice.pick([null, null, 1, 3, 50]),
  }
}

const SCHEDULE = ['publishAt', 'archiveAt'] as const
const STATES = ['draft', 'modified', 'published', 'archived'] as const

function searched(dice: Dice): string {
  const phrase = dice.pick(PHRASES)
  const words = phrase.split(' ')
  return dice.pick([
    phrase,
    dice.pick(words),
    plainLetters(phrase),
    phrase.toUpperCase(),
    `${dice.pick(words)} ${dice.pick(PHRASES)}`,
    `${phrase}!`,
  ])
}

function beginning(dice: Dice): string {
  const letters = [...dice.pick(PHRASES)]
  return letters.slice(0, 1 + dice.below(letters.length)).join('')
}

function filtersOf(asked: QuestionSource, isVisit: boolean): Filter[] {
  const { dice } = asked
  const all = [
    ...FIELD_FILTERS.map((make) => make(dice)),
    ...dice.some(RELATIONSHIPS, 3).map((name) => related(asked, name)),
  ]
  if (!isVisit) return dice.some(all, 2)
  const named = (filter: Filter) => FILTERED.some((name) => name === filter.name) && filter.values?.length === 1
  return dice.some([...all.filter(named), related(asked, '_topics', 'topics')], 2)
}

function eachOnce(filters: readonly Filter[]): Filter[] {
  return [...new Map(filters.map((filter) => [filter.name, filter])).values()]
}

const is = (name: string, values: readonly string[]): Filter => ({ name, values })

const FIELD_FILTERS: readonly ((dice: Dice) => Filter)[] = [
  (dice) => is('title', [dice.pick(PHRASES)]),
  (dice) => is('note', [dice.pick([dice.pick(PHRASES), dice.pick(PHRASES).toUpperCase()])]),
  (dice) => is('slug', [dice.pick(['a', 'alpha', 'crème-brûlée', 'none'])]),
  (dice) => is('price', dice.some(['0', '1', '1.5', '2', 'abc', '-1'], 2).concat('1')),
  (dice) => is('qty', [dice.pick(['0', '1', '2', '1.5'])]),
  (dice) => ({ name: 'price', values: null, min: String(dice.below(3)), max: dice.pick([undefined, '2', '1.5']) }),
  (dice) => ({ name: 'qty', values: null, min: undefined, max: dice.pick(['1', '0.5']) }),
  (dice) => is('kind', [dice.pick(['low', 'High', 'high', 'none', 'x'])]),
  (dice) => is('tags', dice.some(['a', 'b', 'c'], 2).concat('b')),
  (dice) => is('active', [dice.pick(['true', 'false'])]),
  (dice) => is('day', [dice.pick(['2026-01-01', '2026-01-02', '2026-02-30'])]),
  () => ({ name: 'day', values: null, min: '2026-01-02' }),
  () => ({ name: 'at', values: null, min: '2026-01-01T00:00:00Z', max: '2026-01-01T12:00:00.000Z' }),
  () => ({ name: 'hour', values: null, min: '09:30' }),
  (dice) => is('mail', [dice.pick(['ann@example.org', 'ANN@example.org', 'nobody'])]),
  (dice) => is('secretNote', [dice.pick(PHRASES)]),
  (dice) => is('secretNumber', [dice.pick(['0', '1'])]),
  (dice) => is('visibility', [dice.pick(['public', 'loginRequired'])]),
  (dice) => is('atLeast', [dice.pick(['1', '2'])]),
  () => ({ name: 'updatedAt', values: null, min: '2020-01-01' }),
  () => ({ name: 'createdAt', values: null, min: undefined, max: '2020-01-01' }),
]

/** Filters that are about no field: of few of the questions. */
function own({ dice, ids, userIds }: QuestionSource, type: string): Filter[] {
  const make: ((dice: Dice) => Filter)[] = [
    ...(type === 'product' ? SCHEDULE_FILTERS : []),
    ...(type === '@cms/image' ? IMAGE_FILTERS : []),
    ...(type === 'stamp' ? [] : LOCALE_FILTERS),
    () => is('updatedBy', [dice.pick([...userIds, ...(ids[type] ?? ['none'])])]),
  ]
  const chance = type === '@cms/image' ? 0.9 : 0.35
  return dice.isBelow(chance) ? dice.some(make, 2).map((one) => one(dice)) : []
}

const SCHEDULE_FILTERS = SCHEDULE.flatMap((name): ((dice: Dice) => Filter)[] => [
  (dice) => is(name, dice.some(TIMES, 2).concat('2100-01-01')),
  (dice) => ({ name, values: null, min: dice.pick([undefined, ...TIMES]), max: dice.pick(TIMES) }),
  (dice) => ({ name, values: null, exists: dice.isBelow(0.5) }),
])

const LOCALE_FILTERS = ['missingIn', 'outdatedIn'].map(
  (name) => (dice: Dice) => is(name, [dice.pick(['en', 'fr', 'it'])]),
)

const IMAGE_FILTERS: readonly ((dice: Dice) => Filter)[] = [
  (dice) => is('hasAlt', [dice.pick(['true', 'false'])]),
  (dice) => is('isUsed', [dice.pick(['true', 'false'])]),
  (dice) => is('extension', dice.some(['jpg', 'gif', 'PNG'], 2).concat('png')),
  (dice) => is('minWidth', [dice.pick(['0', '40', '60', '100'])]),
  (dice) => is('minHeight', [dice.pick(['0', '40', '60', '100'])]),
]

function related({ dice, ids, slugs }: QuestionSource, relationship: string, given?: string): Filter {
  const to = TYPES.product?.relationships[relationship]?.to ?? ''
  const name =
    given ?? dice.pick([relationship, relationship.slice(1), `${relationship}And`, `${relationship.slice(1)}And`])
  const known = name.startsWith('_') || dice.isBelow(0.15) ? ids[to] : slugs[to]
  const values = [
    ...dice.some([...(known ?? []), 'none', 'nothing'], given ? 1 : 3),
    dice.pick([...(known ?? []), 'none']),
  ]
  return is(name, given ? values.slice(0, 1) : values)
}

/** The query of a question. */
export function queryOf({ isVisit, mode, locale, filters, ...rest }: ListQuestion): string {
  const query = new URLSearchParams()
  if (mode === 'draft') query.append('aposMode', mode)
  if (!isVisit) query.append('aposLocale', locale)
  for (const { name, values, min, max, exists } of filters) {
    if (exists !== undefined) query.append(`${name}[$exists]`, String(exists))
    const [value, ...others] = values ?? []
    if (value !== undefined && others.length === 0) query.append(name, value)
    else for (const one of values ?? []) query.append(`${name}[]`, one)
    if (min !== undefined) query.append(`${name}[min]`, min)
    if (max !== undefined) query.append(`${name}[max]`, max)
  }
  for (const name of ['archived', 'search', 'autocomplete'] as const)
    if (rest[name]) query.append(name, String(rest[name]))
  if (rest.states !== null) query.append('state', rest.states.join())
  for (const [name, direction] of rest.sort) query.append(`sort[${name}]`, String(direction))
  for (const id of rest.ids ?? []) query.append('_ids[]', id)
  if (!isVisit && rest.choices.length > 0) query.append('choices', rest.choices.join())
  const counts = rest.states === null ? rest.counts : [...rest.counts, 'state']
  if (!isVisit && counts.length > 0) query.append('counts', counts.join())
  if (rest.page > 1) query.append('page', String(rest.page))
  if (rest.perPage !== null) query.append('perPage', String(rest.perPage))
  return query.toString()
}
