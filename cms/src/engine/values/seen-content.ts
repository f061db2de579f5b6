import { hash } from 'node:crypto'
import { canonicalJson, copyJson, type Json, type JsonObject, joinPath, sameJson } from '../../base/json.ts'
import type { Content, Site, Type } from '../../model/declared/types.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { openValues, type StoredValues } from '../../model/terms/document.ts'
import { type Aside, asidesOf, DIGEST, setAside, textOfAside } from '../../model/values/aside.ts'
import { storedProblem, takesUnchanged } from '../../model/values/schema.ts'
import {
  childrenOf,
  dropField,
  isStored,
  type LocatedField,
  propertyNames,
  storedValue,
  straysOf,
  textOf,
  walk,
} from '../../model/values/walk.ts'
import type { Viewer } from '../permissions.ts'
import { type Views, viewsOf } from '../view.ts'

/** State of a document that is not part of a version's content. */
const STATE = new Set(['visibility', 'archived', 'copyOfId'])

/**
 * The part of stored fields that the caller may see now, as their type is declared now (§2.14), for comparisons; null
 * for a type that is gone, or hidden from the caller. Of what they may only know to have changed, it holds a digest.
 */
export function seenContent(viewer: Viewer, typeName: string, values: StoredValues): Content | null {
  const views = viewsOf(viewer)
  const stored = openValues({ fields: values })
  const type = views.of(typeName)?.type
  if (type === undefined) return null
  const fields: JsonObject = {}
  for (const name of Object.keys(stored)) if (!STATE.has(name)) fields[name] = copyJson(stored[name] ?? null)
  conceal({ views, widgets: viewer.site.widgets }, type.fields, fields)
  return { type, fields }
}

/** The views of the caller, and the widgets of the site. */
interface Looking {
  readonly views: Views
  readonly widgets: Site['widgets']
}

/** Takes out what the caller may not see: secrets, and relationships to a type that does not exist for them. */
function conceal(looking: Looking, fields: Fields, holder: JsonObject): void {
  const { views } = looking
  for (const field of fields.list) {
    if (!views.shows(field) || views.leadsUnseen(field)) drop(field, holder)
    else if (field.type.children) concealWithin(looking, field, holder)
  }
  for (const [name, aside] of Object.entries(asidesOf(holder))) {
    if (isTextSeen(views, aside)) continue
    setAside(holder, name, { ...aside, holdsHidden: true, values: { digest: digestOf(aside.values) } })
  }
}

function drop(field: Field, holder: JsonObject): void {
  setAside(holder, field.name, null)
  dropField(field, holder)
}

function concealWithin(looking: Looking, field: Field, holder: JsonObject): void {
  for (const child of childrenOf(field, holder)) conceal(looking, child.fields, child.values)
  for (const stray of straysOf(field, holder)) concealStray(looking, stray)
}

const SHELL = ['_id', 'metaType', 'type']

/**
 * A widget that its area no longer allows. Who may see its values is known only while its type is declared as it was
 * then, which is not checked when the widget is read.
 */
function concealStray(looking: Looking, stray: JsonObject): void {
  const fields = looking.widgets.get(String(stray.type))?.fields
  const known = fields?.list.filter(({ type }) => type.secret === undefined) ?? []
  const isAsDeclared =
    fields !== undefined && known.every((field) => !isStored(field, stray) || takesUnchanged(field, stray))
  const names = new Set([...SHELL, ...(isAsDeclared ? known.flatMap(propertyNames) : [])])
  const digest = digestOf(stray)
  for (const name of Object.keys(stray)) if (!names.has(name)) delete stray[name]
  if (isAsDeclared) conceal(looking, fields, stray)
  else stray[DIGEST] = digest
}

function digestOf(values: JsonObject): string {
  return hash('sha256', canonicalJson(values))
}

/** A value that its field, as declared now, does not accept. */
interface SetAsideValue {
  /** Where its field lies: `links`, `items.<_id>.to`. */
  readonly path: string
  readonly aside: Aside
  /** The fields that contain it, outermost first, as declared now. */
  readonly within: LocatedField | null
}

/** The values that a document or a version has set aside, at any depth. */
export function valuesSetAsideIn(type: Type, fields: JsonObject): SetAsideValue[] {
  const found = asidesAt(fields, '', null)
  const seen = new Set<JsonObject>([fields])
  for (const located of walk(type.fields, fields)) {
    const { values, path, field, parent } = located
    if (seen.has(values)) continue
    seen.add(values)
    for (const entry of asidesAt(values, path.slice(0, -field.name.length - 1), parent)) found.push(entry)
  }
  return found
}

function asidesAt(holder: JsonObject, base: string, within: LocatedField | null): SetAsideValue[] {
  return Object.entries(asidesOf(holder)).map(([name, aside]) => ({ path: joinPath(base, name), aside, within }))
}

/** A value of a version that was not restored, with its text for callers who may see it. */
export interface NotRestored {
  readonly path: string
  readonly text?: string
}

/** A version, and what the document has now. */
interface Restoring {
  readonly content: JsonObject
  readonly restored: JsonObject
}

/**
 * The values of a version that its fields no longer accept (§2.14). Their text is shown to callers who may see the
 * field as it was declared then, and everything that contains it as declared now; not where something in it was hidden
 * from some of them.
 */
export function notRestored(views: Views, type: Type, version: Restoring): NotRestored[] {
  const aside = valuesSetAsideIn(type, version.content).map(({ path, aside, within }) => {
    const isSeen = isTextSeen(views, aside) && isSeenWithin(views, within)
    return isSeen ? { path, text: textOfAside(aside) } : { path }
  })
  return [...aside, ...notAccepted(views, type, version), ...notAllowed(type, version)]
}

/**
 * Lists the widgets that their areas no longer allow and that the document no longer has as in the version. Their text
 * is left out: it is unknown who may see their fields.
 */
function notAllowed(type: Type, { content, restored }: Restoring): NotRestored[] {
  const now = straysIn(type, restored)
  return [...straysIn(type, content)].flatMap(([path, widget]) =>
    sameJson(now.get(path) ?? null, widget) ? [] : [{ path }],
  )
}

function straysIn({ fields }: Type, values: JsonObject): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>()
  for (const { field, values: holder, path } of walk(fields, values)) {
    for (const stray of straysOf(field, holder)) found.set(joinPath(path, String(stray._id)), stray)
  }
  return found
}

/** The values that stricter options of their fields no longer accept. */
function notAccepted(views: Views, type: Type, { content, restored }: Restoring): NotRestored[] {
  const now = new Map([...walk(type.fields, restored)].map((located) => [located.path, ownContent(located)]))
  return [...walk(type.fields, content)].flatMap((located) => {
    const { field, values, path } = located
    if (field.type.computed || field.type.secret || !isStored(field, values)) return []
    if (sameJson(now.get(path), ownContent(located)) || storedProblem(field, values) === null) return []
    const isSeen = isSeenWithin(views, located)
    return [isSeen ? { path, text: textOf(field, values) } : { path }]
  })
}

/** Returns a field's own content: for containers, which fields they hold, since each field is compared by itself. */
function ownContent({ field, values }: LocatedField): Json {
  const { type, options } = field
  const value = storedValue(field, values)
  if (value === null || type.children === undefined) return value
  const inside = type.children(value, options).map(({ step }) => step)
  const related = [...(type.references?.(value, options) ?? [])].map(({ id }) => id)
  return [...inside, ...related]
}

/** Whether the text of a value set aside is shown to a caller who may see everything that contains it. */
function isTextSeen(views: Views, { audience, secret, holdsHidden }: Aside): boolean {
  return views.isFor(audience) && !secret && holdsHidden !== true
}

/** Whether the caller may see a field and all that contains it. */
function isSeenWithin(views: Views, within: LocatedField | null): boolean {
  return within === null || (!views.hides(within.field) && isSeenWithin(views, within.parent))
}
