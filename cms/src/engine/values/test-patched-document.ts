import { patch } from '../../../test/patching.ts'
import { CmsError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Fields } from '../../model/field-type/field-type.ts'
import { NO_FIELDS } from '../../model/field-type/options.ts'

/** Items of an array. */
export const links = () => ['l1', 'l2', 'l3'].map((_id) => ({ _id, label: _id.toUpperCase() }))
/** Fields in their outside form. */
export const document = (): JsonObject => ({
  title: 'T',
  tags: ['red', 'green'],
  links: links(),
  deep: [{ _id: 'd1', list: [{ _id: 'i1', text: 'x' }] }],
  _topics: [
    { _id: 't1', _fields: { why: 'a' } },
    { _id: 't2', _fields: {} },
  ],
  _others: [{ _id: 't1', _fields: {} }],
  area: { _id: 'a1', items: [{ _id: 'w1', metaType: 'widget', type: 'note' }, { text: 'x' }] },
  home: { _topics: [{ _id: 't3', _fields: {} }] },
  copies: [{ _id: 'c1:en:draft' }, { _id: 'c2:en:draft' }],
  blank: null,
})

/** The changes that a body makes. */
export function changed(body: JsonObject): JsonObject {
  const target = document()
  patch(NO_FIELDS, target, body)
  const before = document()
  const differs = (name: string) => JSON.stringify(target[name]) !== JSON.stringify(before[name])
  const names = new Set([...Object.keys(before), ...Object.keys(target)])
  return Object.fromEntries([...names].filter(differs).map((name) => [name, target[name] ?? null]))
}

/** The field of the first error, and its name. */
export function refused(body: JsonObject, fields: Fields = NO_FIELDS, target = document()): unknown {
  const error = errorOf(body, fields, target)
  const [first] = error?.fields ?? []
  return first === undefined ? (error?.message ?? null) : [first.path, first.name]
}

/** The message of the first error. */
export function messageOf(body: JsonObject): string | undefined {
  return errorOf(body, NO_FIELDS, document())?.fields[0]?.message
}

type FieldError = { readonly [name in 'path' | 'name' | 'message']: string }

function errorOf(body: JsonObject, fields: Fields, target: JsonObject) {
  try {
    patch(fields, target, body)
    return null
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    // `as`: errors of fields have this form.
    const { errors = [] } = error.data as { readonly errors?: readonly FieldError[] }
    return { message: error.message, fields: errors }
  }
}
