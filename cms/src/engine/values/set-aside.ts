import type { Json, JsonObject } from '../../base/json.ts'
import { joinPath } from '../../base/path.ts'
import { sameJson } from '../../base/same-json.ts'
import type { Type } from '../../model/declared/types.ts'
import { hasRole, type Role } from '../../model/terms/roles.ts'
import { type Aside, type Audience, asidesOf, textOfAside } from '../../model/values/aside.ts'
import { storedProblem } from '../../model/values/schema.ts'
import { isStored, type LocatedField, storedValue, textOf, walk } from '../../model/values/walk.ts'
import type { Actor } from '../permissions.ts'
import { roleOf } from '../permissions.ts'

/** A value that its field, as declared now, does not accept. */
export interface SetAsideValue {
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

/**
 * The values of a version that its fields no longer accept (§2.14). Their text is shown to callers who may see the
 * field as it was declared then, and everything that contains it as declared now; not where something in it was hidden
 * from some of them. `restored` is what the document has now.
 */
export function notRestored(actor: Actor, type: Type, content: JsonObject, restored: JsonObject): NotRestored[] {
  const aside = valuesSetAsideIn(type, content).map(({ path, aside, within }) => {
    const isSeen = isTold(actor, aside) && rolesAbove(within).every((role) => reaches(actor, role))
    return isSeen ? { path, text: textOfAside(aside) } : { path }
  })
  return [...aside, ...notAccepted(actor, type, content, restored), ...notAllowed(type, content, restored)]
}

/**
 * The widgets that their areas no longer allow and that are not in the document as the version has them. Who might see
 * their fields is unknown, so that their text is not told.
 */
function notAllowed(type: Type, content: JsonObject, restored: JsonObject): NotRestored[] {
  const now = straysOf(type, restored)
  return [...straysOf(type, content)].flatMap(([path, widget]) =>
    sameJson(now.get(path) ?? null, widget) ? [] : [{ path }],
  )
}

function straysOf({ fields }: Type, values: JsonObject): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>()
  for (const { field, values: holder, path } of walk(fields, values)) {
    const area = field.type.strays ? storedValue(field, holder) : null
    const strays = area === null ? [] : (field.type.strays?.(area, field.options) ?? [])
    for (const stray of strays) found.set(joinPath(path, String(stray._id)), stray)
  }
  return found
}

/** The values that stricter options of their fields no longer accept. */
function notAccepted(actor: Actor, type: Type, content: JsonObject, restored: JsonObject): NotRestored[] {
  const now = new Map([...walk(type.fields, restored)].map((located) => [located.path, ownContent(located)]))
  return [...walk(type.fields, content)].flatMap((located) => {
    const { field, values, path } = located
    if (field.type.computed || field.type.secret || !isStored(field, values)) return []
    if (sameJson(now.get(path), ownContent(located)) || storedProblem(field, values) === null) return []
    const isSeen = rolesAbove(located).every((role) => reaches(actor, role))
    return [isSeen ? { path, text: textOf(field, values) } : { path }]
  })
}

/** What a field holds itself: of what has fields inside, which ones they are, since each field is looked at by itself. */
function ownContent({ field, values }: LocatedField): Json {
  const { type, options } = field
  const value = storedValue(field, values)
  if (value === null || type.children === undefined) return value
  const inside = [...type.children(value, options)].map(({ step }) => step)
  const related = [...(type.references?.(value, options) ?? [])].map(({ id }) => id)
  return [...inside, ...related]
}

/** Whether the text of a value set aside is shown to a caller who may see everything that contains it. */
export function isTold(actor: Actor, { audience, secret, holdsHidden }: Aside): boolean {
  return reaches(actor, audience) && !secret && holdsHidden !== true
}

function rolesAbove(within: LocatedField | null): (Role | null)[] {
  return within === null ? [] : [within.field.viewRole, ...rolesAbove(within.parent)]
}

function reaches(actor: Actor, audience: Audience): boolean {
  return audience === null || audience === 'public' || hasRole(roleOf(actor), audience)
}
