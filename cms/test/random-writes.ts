import type { JsonObject } from '../src/base/json.ts'
import { LOCALES, PIECES, type World } from './random-world.ts'

/** A write of one caller. */
export interface Write {
  readonly caller: 'contributor' | 'editor' | 'admin'
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body: JsonObject
  /** What it makes, to be remembered. */
  readonly makes?: string
}

const VERBS = [
  ...(['publish', 'publish', 'unpublish', 'archive', 'restore'] as const),
  ...(['localize', 'localize', 'revert-draft-to-published', 'revert-published-to-previous'] as const),
]

/** A write of any kind. Many are refused, and change nothing. */
export function randomWrite(world: World): Write {
  const { dice } = world
  const kinds = [insert, insert, insert, update, update, update, replace, change, change, change, many, remove, remove]
  const others = [insertPage, insertPage, movePage, movePage, updatePage, updatePage, crop, singleton, user, version]
  return { caller: callerOf(world), ...dice.pick([...kinds, ...others])(world) }
}

type Request = Omit<Write, 'caller'> & Partial<Pick<Write, 'caller'>>

function callerOf({ dice }: World): Write['caller'] {
  return dice.pick(['editor', 'editor', 'editor', 'admin', 'admin', 'contributor'])
}

function scope({ dice }: World): string {
  const mode = dice.isBelow(0.25) ? '&aposMode=draft' : ''
  return dice.isBelow(0.6) ? `aposLocale=en${mode}` : `aposLocale=${dice.pick(LOCALES)}${mode}`
}

function insert(world: World): Request {
  const type = world.dice.pick(PIECES)
  return { method: 'POST', path: `${type}?${scope(world)}`, body: world.fields(type, true), makes: type }
}

function update(world: World): Request {
  const { dice } = world
  const type = dice.pick(PIECES)
  const slug = dice.isBelow(0.2) ? { slug: `${world.word()}-${world.word()}` } : {}
  return {
    method: 'PATCH',
    path: `${type}/${world.id(type)}?${scope(world)}`,
    body: { ...world.fields(type, false), ...slug },
  }
}

function replace(world: World): Request {
  const type = world.dice.pick(PIECES)
  return { method: 'PUT', path: `${type}/${world.id(type)}?${scope(world)}`, body: world.fields(type, true) }
}

function remove(world: World): Request {
  const type = world.dice.pick([...PIECES, '@cms/page'])
  const id = world.id(type === '@cms/page' ? 'default-page' : type)
  return { method: 'DELETE', path: `${type}/${id}?${scope(world)}`, body: {}, caller: 'admin' }
}

function change(world: World): Request {
  const { dice } = world
  const type = dice.pick([...PIECES, '@cms/page', '@cms/page'])
  const id = world.id(type === '@cms/page' ? dice.pick(['default-page', 'article-page']) : type)
  const verb = dice.pick(VERBS)
  const body = { toLocale: dice.pick(['fr', 'es', 'de']), update: dice.isBelow(0.5), publish: dice.isBelow(0.5) }
  return { method: 'POST', path: `${type}/${id}/${verb}?aposLocale=${dice.pick(LOCALES)}`, body }
}

function many(world: World): Request {
  const { dice } = world
  const type = dice.pick(PIECES)
  const verb = dice.pick(['publish', 'archive', 'restore', 'localize'])
  const _ids = dice.some(world.ids(type), 3)
  return {
    method: 'POST',
    path: `${type}/${verb}?aposLocale=en`,
    body: { _ids, toLocales: dice.some(['fr', 'es', 'de'], 2) },
  }
}

const POSITIONS = ['before', 'after', 'firstChild', 'lastChild'] as const

function insertPage(world: World): Request {
  const { dice } = world
  const type = dice.isBelow(0.85) ? 'default-page' : 'article-page'
  const fields = world.fields(type, true)
  const body = { ...fields, type, _targetId: targetOf(world), _position: dice.pick(POSITIONS) }
  return { method: 'POST', path: `@cms/page?${scope(world)}`, body, makes: type }
}

function movePage(world: World): Request {
  const { dice } = world
  const _targetId = dice.isBelow(0.15) ? '_archive' : targetOf(world)
  return { method: 'PATCH', path: pageOf(world), body: { _targetId, _position: dice.pick(POSITIONS) } }
}

function updatePage(world: World): Request {
  const slug = world.dice.isBelow(0.5) ? { slug: `/${world.word()}` } : {}
  return { method: 'PATCH', path: pageOf(world), body: { ...world.fields('default-page', false), ...slug } }
}

function pageOf(world: World): string {
  return `@cms/page/${world.id(world.dice.pick(['default-page', 'default-page', 'article-page']))}?${scope(world)}`
}

function targetOf(world: World): string {
  return world.dice.isBelow(0.5) ? '_home' : world.id('default-page')
}

function crop({ dice, attachments }: World): Request {
  const crop = { top: dice.below(3), left: dice.below(3), width: 20, height: 20 }
  return { method: 'POST', path: '@cms/attachment/crop', body: { _id: String(dice.pick(attachments)._id), crop } }
}

function singleton(world: World): Request {
  const type = world.dice.pick(['@cms/global', '@cms/styles'])
  return { method: 'PATCH', path: `${type}/${world.id(type)}?${scope(world)}`, body: world.fields(type, false) }
}

function user(world: World): Request {
  const body = world.fields('@cms/user', false)
  return { method: 'PATCH', path: `@cms/user/${world.userId}`, body, caller: 'admin' }
}

function version(world: World): Request {
  const { dice } = world
  const known = world.versions.length === 0 ? null : dice.pick(world.versions.slice(-8))
  if (known === null) return update(world)
  const { type, docId, id } = known
  if (dice.isBelow(0.3)) return { method: 'PATCH', path: `@cms/document-versions/${id}`, body: { label: world.word() } }
  const body = { ...world.fields(type, true), _restoreVersion: id }
  return { method: 'PUT', path: `${type}/${docId}?aposMode=draft`, body }
}
