import type { JsonObject } from '../src/base/json.ts'
import type { Dice } from './dice.ts'
import { PHRASES, TYPES } from './lists-site.ts'

/** What writes are about: ids by type, and versions of products. */
export interface Written {
  readonly dice: Dice
  readonly ids: Readonly<Record<string, readonly string[]>>
  readonly versions: readonly { readonly docId: string; readonly id: string }[]
  readonly userId: string
}

/** A write of one caller. */
export interface ListWrite {
  readonly caller: 'contributor' | 'editor' | 'admin' | 'ai'
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body: JsonObject
}

type Request = Omit<ListWrite, 'caller'> & Partial<Pick<ListWrite, 'caller'>>

const PIECES = [
  'product',
  'product',
  'product',
  'topic',
  'person',
  'plan',
  'vault',
  'club',
  'stamp',
  '@cms/image',
] as const
const VERBS = [
  'publish',
  'unpublish',
  'archive',
  'restore',
  'revert-draft-to-published',
  'localize',
  'publish',
] as const

/** A write of any kind. Some are refused, and change nothing. */
export function randomListWrite(written: Written): ListWrite {
  const { dice } = written
  const kinds = [insert, insert, insert, copy, update, update, update, operate, operate, replace, replaceByVersion]
  const others = [change, change, change, changeMany, remove, insertPage, movePage, movePage, changeUser]
  const caller = dice.pick(['editor', 'editor', 'editor', 'admin', 'admin', 'contributor', 'ai'] as const)
  return { caller, ...dice.pick([...kinds, ...others])(written) }
}

/** A new document of a type, with all of its fields. */
export function inserted(written: Written, type: string, query = 'aposLocale=en'): ListWrite {
  return { caller: 'admin', method: 'POST', path: `${type}?${query}`, body: fieldsOf(written, type) }
}

function insert(written: Written): Request {
  return inserted(written, written.dice.pick(PIECES), scope(written))
}

function copy(written: Written): Request {
  const type = written.dice.pick(PIECES)
  const body = { title: written.dice.pick(PHRASES), _copyingId: idOf(written, type) }
  return { method: 'POST', path: `${type}?${scope(written)}`, body }
}

function update(written: Written): Request {
  const type = written.dice.pick(PIECES)
  const fields = fieldsOf(written, type)
  const some = Object.fromEntries(written.dice.some(Object.entries(fields), 3))
  const slug = written.dice.isBelow(0.15) ? { slug: written.dice.pick(['alpha', 'beta', 'a', 'x-1']) } : {}
  const times = type === 'product' && written.dice.isBelow(0.4) ? timesOf(written.dice) : {}
  const state = written.dice.isBelow(0.1) ? { archived: written.dice.isBelow(0.5) } : {}
  return {
    method: 'PATCH',
    path: `${pathOf(written, type)}?${scope(written)}`,
    body: { ...some, ...slug, ...state, ...times },
  }
}

/** So late that nothing is due. */
export const TIMES: readonly string[] = [
  '2100-01-01T00:00:00.000Z',
  '2100-01-02T12:00:00.000Z',
  '2100-02-01T00:00:00.000Z',
]

function timesOf(dice: Dice): JsonObject {
  return { publishAt: dice.pick([null, ...TIMES]), archiveAt: dice.pick([null, ...TIMES, '2100-03-01T00:00:00.000Z']) }
}

function operate(written: Written): Request {
  const { dice } = written
  const phrase = dice.pick(PHRASES)
  const topics = refs(written, 'topic')
  const body = dice.pick<JsonObject>([
    { $push: { links: { label: phrase, code: dice.pick(PHRASES) } } },
    { $push: { links: { $each: [{ label: phrase }, { label: 'two' }], $position: 0 } } },
    { $addToSet: { tags: dice.pick(['a', 'b', 'c']) } },
    { $pullAll: { tags: ['a', 'b'] } },
    { 'details.shown': phrase, 'details.inner': dice.pick(PHRASES) },
    { 'links.0.label': phrase },
    { 'body.items.0.content': `<p>${richText(dice)}</p>` },
    { $addToSet: { topicsIds: { $each: topics.map(({ _id }) => String(_id)) } } },
    { $pullAll: { topicsIds: topics.map(({ _id }) => String(_id)) } },
    { _patches: [{ title: phrase }, { $push: { links: { label: phrase } } }, { qty: dice.below(4) }] },
  ])
  return { method: 'PATCH', path: `${pathOf(written, 'product')}?${scope(written)}`, body }
}

function replace(written: Written): Request {
  const type = written.dice.pick(PIECES)
  return { method: 'PUT', path: `${pathOf(written, type)}?${scope(written)}`, body: fieldsOf(written, type) }
}

function replaceByVersion(written: Written): Request {
  const { dice, versions } = written
  if (versions.length === 0) return update(written)
  const { docId, id } = dice.pick(versions.slice(-12))
  const body = { ...fieldsOf(written, 'product'), _restoreVersion: id }
  return { method: 'PUT', path: `product/${docId}?aposMode=draft`, body }
}

function change(written: Written): Request {
  const { dice } = written
  const verb = dice.pick(VERBS)
  const body = { toLocale: dice.pick(['fr', 'it', 'en']), update: dice.isBelow(0.5), publish: dice.isBelow(0.6) }
  const query = `aposLocale=${dice.pick(['en', 'en', 'en', 'fr', 'it'])}`
  return { method: 'POST', path: `${pathOf(written, dice.pick(PIECES))}/${verb}?${query}`, body }
}

function changeMany(written: Written): Request {
  const { dice, ids } = written
  const type = dice.pick(PIECES)
  const verb = dice.pick(['publish', 'archive', 'restore', 'localize'])
  const body = { _ids: dice.some(ids[type] ?? [], 4), toLocales: ['fr', 'it'] }
  return { method: 'POST', path: `${type}/${verb}?aposLocale=en`, body }
}

function remove(written: Written): Request {
  const type = written.dice.pick(PIECES)
  const query = written.dice.isBelow(0.3) ? 'aposMode=draft' : 'aposLocale=en'
  return { method: 'DELETE', path: `${pathOf(written, type)}?${query}`, body: {}, caller: 'admin' }
}

function insertPage(written: Written): Request {
  const { dice } = written
  const _targetId = dice.isBelow(0.5) ? '_home' : idOf(written, 'text-page')
  const body = { ...fieldsOf(written, 'text-page'), type: 'text-page', _targetId, _position: 'lastChild' }
  return { method: 'POST', path: `@cms/page?${scope(written)}`, body }
}

function movePage(written: Written): Request {
  const { dice } = written
  const _targetId = dice.pick(['_archive', '_home', '_home', idOf(written, 'text-page')])
  const slug = dice.isBelow(0.3) ? { slug: `/${dice.pick(['a', 'b'])}` } : {}
  const body = { _targetId, _position: dice.pick(['firstChild', 'lastChild']), ...slug }
  return { method: 'PATCH', path: `@cms/page/${idOf(written, 'text-page')}`, body }
}

function changeUser({ dice, userId }: Written): Request {
  const role = dice.pick(['guest', 'contributor', 'editor', 'admin'])
  return { method: 'PATCH', path: `@cms/user/${userId}`, body: { role }, caller: 'admin' }
}

function scope({ dice }: Written): string {
  const mode = dice.isBelow(0.3) ? '&aposMode=draft' : ''
  return `aposLocale=${dice.pick(['en', 'en', 'en', 'fr', 'it'])}${mode}`
}

function pathOf(written: Written, type: string): string {
  return `${type}/${idOf(written, type)}`
}

function idOf({ dice, ids }: Written, type: string): string {
  const known = ids[type] ?? []
  return known.length === 0 ? 'none' : dice.pick(known)
}

function refs({ dice, ids }: Written, type: string): JsonObject[] {
  return dice.some(ids[type] ?? [], 3).map((_id) => ({ _id }))
}

function richText(dice: Dice): string {
  const [one, two] = [dice.pick(PHRASES), dice.pick(PHRASES)].map(escaped)
  return dice.pick([`${one} ${two}`, `al<strong>ph</strong>a ${one}`, `${one}<br>${two}`, `${one}</p><p>${two}`])
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function fieldsOf(written: Written, type: string): JsonObject {
  const { dice } = written
  const phrase = () => dice.pick(PHRASES)
  const common = {
    title: dice.isBelow(0.5) ? phrase() : `${phrase()} ${phrase()}`,
    visibility: dice.pick(['public', 'public', 'loginRequired']),
  }
  switch (type) {
    case 'product': {
      const relationships = Object.entries(TYPES.product?.relationships ?? {})
      return {
        ...common,
        note: phrase(),
        price: dice.pick([null, 0, 1, 1.5, 2]),
        qty: dice.pick([null, 0, 1, 2]),
        kind: dice.pick([null, 'low', 'High', 'none']),
        tags: dice.some(['a', 'b', 'c'], 3),
        active: dice.pick([true, false, null]),
        day: dice.pick([null, '2026-01-01', '2026-01-02', '2026-01-03']),
        at: dice.pick([null, '2026-01-01T10:00:00Z', '2026-01-02T10:00:00Z']),
        hour: dice.pick([null, '09:00', '10:30']),
        mail: dice.pick([null, 'ann@example.org', 'Ann@Example.org']),
        secretNote: phrase(),
        secretNumber: dice.below(3),
        details: { shown: phrase(), inner: phrase() },
        links: dice.some(PHRASES, 2).map((label) => ({ label, code: phrase() })),
        body: { items: [{ type: '@cms/rich-text', content: `<p>${richText(dice)}</p>` }] },
        ...Object.fromEntries(relationships.map(([name, { to }]) => [name, refs(written, to)])),
      }
    }
    case '@cms/image':
      return { ...common, alt: dice.pick([null, '', phrase()]) }
    case 'topic':
      return { ...common, motto: phrase() }
    case 'person':
      return { ...common, bio: phrase() }
    case 'plan':
      return { ...common, budget: dice.below(3) }
    case 'club':
      return { ...common, code: phrase() }
    default:
      return common
  }
}
