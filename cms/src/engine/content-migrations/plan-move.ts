import { invalid } from '../../base/errors.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { type Declaration, declarationOf, widgetSet } from '../../model/history/declarations.ts'
import type { Container, MovedField, RenamedChoice } from '../../model/history/move-steps.ts'
import { COMMON_FIELDS } from '../../model/terms/property-labels.ts'
import type { DeclaredType } from './migration.ts'
import type { FieldSet } from './steps.ts'

/** Finds the fields of a declaration or a name; null when the site has no such type. */
export function knownSetOf(site: Site, declared: DeclaredType): FieldSet | null {
  const isWidget = typeof declared === 'object' && declared.family === 'widget'
  const given = typeof declared === 'object' ? declared.name : declared
  const name = given.replace(/^@cms(?=\/)/, site.namespace)
  const type = isWidget ? undefined : site.types.get(name)
  if (type) return { family: 'document', name, fields: type.fields }
  const widget = site.widgets.get(name)
  if (widget) return { family: 'widget', name, fields: widget.fields }
  return null
}

/** The set in which moves and declarations name the fields. */
function setName({ family, name }: FieldSet): string {
  return family === 'widget' ? widgetSet(name) : name
}

/** How fields were last declared, by their path. */
type Former = (path: string) => Declaration | null

/** The options of planning a move. */
interface Planning {
  readonly former: Former
  /** Other migrations follow, which may move it on: its new name need not be one of the site. */
  readonly isPassing: boolean
}

/** The move that gives the values of one field to another one. Throws `invalid` where it cannot be made. */
export function planMove(
  set: FieldSet,
  [from, to]: readonly [string, string],
  { former, isPassing }: Planning,
): MovedField {
  const source = from.split('.')
  const target = to.split('.')
  const common = source.slice(0, -1).findIndex((step, index) => step !== target[index])
  const shared = Math.min(common === -1 ? source.length - 1 : common, target.length - 1)
  const inSet = [setName(set), ...source.slice(0, shared)].join('/')
  const found = target.map((_, index) => fieldAt(set.fields, target.slice(0, index + 1)))
  const last = found.at(-1)
  if (!last && !isPassing) throw invalid(`${set.name} has no field ${to}.`)
  if (shared === 0 && (isCommon(source) || isCommon(target))) throw invalid(`${to} cannot be moved: every type has it.`)
  if (fieldAt(set.fields, source))
    throw invalid(`${set.name} still has the field ${from}: take it out of the site first.`)
  assertInObjects(set, source.slice(shared, -1), inSet, former)
  const into = target.slice(shared, -1).map((name, index) => {
    const path = [setName(set), ...target.slice(0, shared + index + 1)].join('/')
    const type = found[shared + index]?.type.name ?? (isPassing ? (former(path)?.type ?? 'object') : undefined)
    return containerOf(name, type, to)
  })
  const move = { kind: 'field', set: inSet, from: source.slice(shared), into, to: target.at(-1) ?? '' } as const
  if (last) assertAlike(`${setName(set)}/${source.join('/')}`, last, former, `${set.name}.${from}`)
  return move
}

function isCommon(path: readonly string[]): boolean {
  return path.length === 1 && COMMON_FIELDS.some((name) => name === path[0])
}

/** Refuses to move values out of lists: it would be unclear which item they come from. */
function assertInObjects({ name }: FieldSet, containers: readonly string[], set: string, former: Former): void {
  let path = set
  for (const step of containers) {
    path += `/${step}`
    const previous = former(path)
    if (previous === null || previous.type === 'object') continue
    throw invalid(`${name}.${step} is no object: values inside of it are moved with mapDocuments.`)
  }
}

function containerOf(name: string, kind: string | undefined, path: string): Container {
  if (kind === 'object' || kind === 'array') return { name, kind }
  throw invalid(`${path}: values can be moved into objects and lists, and ${name} is a field of the type ${kind}.`)
}

/** A secret is never shown under another declaration (§2.14), and nothing else becomes one. */
function assertAlike(path: string, field: Field, former: Former, shown: string): void {
  const previous = former(path)
  if (previous && previous.secret !== declarationOf(field).secret) {
    throw invalid(
      `${shown} was a field of the type ${previous.type}: its values are not for one of the type ${field.type.name}.`,
    )
  }
  for (const inner of field.type.innerFields?.(field.options).list ?? []) {
    assertAlike(`${path}/${inner.name}`, inner, former, `${shown}.${inner.name}`)
  }
}

/** The move that gives another value to a choice. Throws `invalid` when the field does not have it. */
export function planChoice(set: FieldSet, path: string, from: string, to: string): RenamedChoice {
  const steps = path.split('.')
  const field = fieldAt(set.fields, steps)
  const choices = field?.type.choices?.(field.options)
  if (!choices) throw invalid(`${set.name} has no field ${path} with choices.`)
  if (!choices.some(({ value }) => value === to)) throw invalid(`${set.name}.${path} has no choice "${to}".`)
  if (choices.some(({ value }) => value === from)) {
    throw invalid(`${set.name}.${path} still has the choice "${from}": take it out of the site first.`)
  }
  const within = [setName(set), ...steps.slice(0, -1)].join('/')
  return { kind: 'choice', set: within, field: steps.at(-1) ?? '', from, to }
}

/** The field of this path, as it is declared now. */
export function fieldAt(fields: Fields, [step = '', ...rest]: readonly string[]): Field | undefined {
  const field = fields.byName.get(step)
  if (field === undefined || rest.length === 0) return field
  const inner = field.type.innerFields?.(field.options)
  return inner && fieldAt(inner, rest)
}
