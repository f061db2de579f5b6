import { expect, test } from 'vitest'
import { changes } from '../../../test/changes.ts'
import { expectLinear } from '../../../test/growth.ts'
import type { Json, JsonObject } from '../../base/json.ts'
import { applyRows } from './apply-rows.ts'

const items = (count: number, note = 'as it was', from = 0): JsonObject[] =>
  Array.from({ length: count }, (_, n) => ({ _id: `i${from + n}`, metaType: 'arrayItem', name: `Item ${n}`, note }))
const widgets = (count: number, words: string): JsonObject => ({
  _id: 'area',
  metaType: 'area',
  items: Array.from({ length: count }, (_, n) => ({ _id: `w${n}`, metaType: 'widget', type: 'quote', words, by: '' })),
})
const people = (count: number, role: string): JsonObject[] =>
  Array.from({ length: count }, (_, n) => ({ _id: `p${n}`, _fields: { role } }))

type Sides = readonly [older: JsonObject, newer: JsonObject]

/** Proposals with as many rows as there are items, by what they do. */
const PROPOSALS: readonly (readonly [string, (count: number) => Sides])[] = [
  ['removes items', (count) => [{ steps: items(count) }, { steps: items(1) }]],
  ['adds items', (count) => [{ steps: items(1) }, { steps: items(count) }]],
  [
    'adds items before all others',
    (count) => [{ steps: items(1, '', 9e6) }, { steps: [...items(count), ...items(1, '', 9e6)] }],
  ],
  [
    'adds items between others',
    (count) => [{ steps: items(count).filter((_, n) => n % 2 === 0) }, { steps: items(count) }],
  ],
  ['replaces all items', (count) => [{ steps: items(count) }, { steps: items(count, '', count) }]],
  ['changes values of items', (count) => [{ steps: items(count) }, { steps: items(count, 'as it will be') }]],
  ['changes values of widgets', (count) => [{ body: widgets(count, 'old') }, { body: widgets(count, 'new') }]],
  ['changes what is said of documents', (count) => [related(people(count, 'old')), related(people(count, 'new'))]],
  ['orders items', (count) => [{ steps: items(count) }, { steps: items(count).toReversed() }]],
  [
    'moves the last item to the top',
    (count) => [{ steps: items(count) }, { steps: [...items(count).slice(-1), ...items(count).slice(0, -1)] }],
  ],
]

/** Versions have ids and what is said of documents apart; PATCH bodies have both in one. */
function related(documents: readonly JsonObject[]): JsonObject {
  return { _people: [...documents] }
}

function stored({ _people, ...rest }: JsonObject): JsonObject {
  if (!Array.isArray(_people)) return rest
  const one = _people as { readonly _id: string; readonly _fields: Json }[]
  return {
    ...rest,
    peopleIds: one.map(({ _id }) => _id),
    peopleFields: Object.fromEntries(one.map(({ _id, _fields }) => [_id, _fields])),
  }
}

interface Accepted {
  readonly current: JsonObject
  readonly proposed: JsonObject
  readonly rows: ReturnType<typeof changes>
}

function accepted([older, newer]: Sides): Accepted {
  return { current: structuredClone(older), proposed: newer, rows: changes(stored(older), stored(newer)) }
}

function accept({ current, proposed, rows }: Accepted): JsonObject {
  applyRows({ proposed, current, values: new Map() }, rows)
  return current
}

test.each(PROPOSALS)('§4.9 accepting all of a proposal that %s gives what was proposed', (_title, make) => {
  const proposal = accepted(make(12))
  expect(proposal.rows.length).toBeGreaterThan(0)
  expect(accept(proposal)).toEqual(proposal.proposed)
})

test.each(PROPOSALS)('§4.9 accepting a proposal that %s takes time as its length', async (_title, make) => {
  await expectLinear((count) => accepted(make(count)), accept, 1_000)
})

test('§4.9 items that others have added, moved and removed stay as they are', () => {
  const [one, two, three, four] = items(4)
  const older = { steps: [one, two, three] } as JsonObject
  const newer = { steps: [four, three, one, two] } as JsonObject
  const [other] = items(1, '', 50)
  const current = { steps: [other, two, one] } as JsonObject
  const rows = changes(older, newer)
  applyRows({ proposed: newer, current, values: new Map() }, rows)
  expect(current).toEqual({ steps: [four, other, one, two] })
})
