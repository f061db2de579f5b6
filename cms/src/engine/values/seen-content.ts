import { hash } from 'node:crypto'
import { copyJson, type JsonObject } from '../../base/json.ts'
import { canonicalJson } from '../../base/same-json.ts'
import type { Content } from '../../model/changes/content-change.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { asidesOf, DIGEST, setAside } from '../../model/values/aside.ts'
import { propertyNames } from '../../model/values/property-names.ts'
import { takesUnchanged } from '../../model/values/schema.ts'
import { targetOf } from '../../model/values/target.ts'
import { isStored, storedValue } from '../../model/values/walk.ts'
import { isHiddenFrom, readAccess, type Viewer } from '../permissions.ts'
import { isTold } from './set-aside.ts'

/** State of a document that is not part of a version's content. */
const STATE = new Set(['visibility', 'archived', 'copyOfId'])

/**
 * The part of stored fields that the caller may see now, as their type is declared now (§2.14), for comparisons; null
 * for a type that is gone, or hidden from the caller. Of what they may only know to have changed, it holds a digest.
 */
export function seenContent(viewer: Viewer, typeName: string, stored: JsonObject): Content | null {
  const type = viewer.site.types.get(typeName)
  if (!type || readAccess(viewer.actor, type) === null) return null
  const fields: JsonObject = {}
  for (const name of Object.keys(stored)) if (!STATE.has(name)) fields[name] = copyJson(stored[name] ?? null)
  conceal(viewer, type.fields, fields)
  return { type, fields }
}

function conceal(viewer: Viewer, fields: Fields, holder: JsonObject): void {
  for (const field of fields.list) {
    if (isUnseen(viewer, field)) drop(field, holder)
    else if (field.type.children) concealWithin(viewer, field, holder)
  }
  for (const [name, aside] of Object.entries(asidesOf(holder))) {
    if (isTold(viewer.actor, aside)) continue
    setAside(holder, name, { ...aside, holdsHidden: true, values: { digest: digestOf(aside.values) } })
  }
}

/** Fields above the caller's role, secrets, and relationships to a type that does not exist for the caller. */
function isUnseen({ site, actor }: Viewer, field: Field): boolean {
  if (isHiddenFrom(actor, field) || field.type.secret !== undefined) return true
  const target = field.type.computed ? null : targetOf(field)
  const type = target === null ? undefined : site.types.get(target)
  return type !== undefined && readAccess(actor, type) === null
}

function drop(field: Field, holder: JsonObject): void {
  setAside(holder, field.name, null)
  for (const name of propertyNames(field)) delete holder[name]
}

function concealWithin(viewer: Viewer, { type, options, name }: Field, holder: JsonObject): void {
  const value = storedValue({ type, name }, holder)
  if (value === null) return
  for (const child of type.children?.(value, options) ?? []) conceal(viewer, child.fields, child.values)
  for (const stray of type.strays?.(value, options) ?? []) concealStray(viewer, stray)
}

const SHELL = ['_id', 'metaType', 'type']

/**
 * A widget that its area no longer allows. Who may see its values is known only while its type is declared as it was
 * then, which is not checked when the widget is read.
 */
function concealStray(viewer: Viewer, stray: JsonObject): void {
  const fields = viewer.site.widgets.get(String(stray.type))?.fields
  const known = fields?.list.filter(({ type }) => type.secret === undefined) ?? []
  const isAsDeclared =
    fields !== undefined && known.every((field) => !isStored(field, stray) || takesUnchanged(field, stray))
  const names = new Set([...SHELL, ...(isAsDeclared ? known.flatMap(propertyNames) : [])])
  const digest = digestOf(stray)
  for (const name of Object.keys(stray)) if (!names.has(name)) delete stray[name]
  if (isAsDeclared) conceal(viewer, fields, stray)
  else stray[DIGEST] = digest
}

function digestOf(values: JsonObject): string {
  return hash('sha256', canonicalJson(values))
}
