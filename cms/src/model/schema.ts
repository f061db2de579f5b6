import type { Problem } from '../base/errors.ts'
import { copyJson, type Json, type JsonObject, own } from '../base/json.ts'
import { joinPath } from '../base/path.ts'
import { sameJson } from '../base/same-json.ts'
import { ASIDE, asidesOf, filesAside, keptAside } from './aside.ts'
import type { Field, FieldCondition, Fields, IndexRow, Reading, Reference } from './fields/field-type.ts'
import { propertyNames } from './property-names.ts'
import { hasRole, type Role } from './roles.ts'

// Longer than other files, as the only recursion through fields in the repository: `readFields` down a value that comes
// in, `walk` down a clean one.

/** How outside values are read into fields. */
export interface ReadOptions {
  newId(): string
  /** Whether the writer may change this field; the others keep what is stored. */
  mayEdit(field: Field): boolean
  /** Whether asking for another value of a field that the writer may not change is refused, not just ignored. */
  refuses?(field: Field): boolean
  /** Levels of objects, arrays and areas in one another. */
  readonly maxDepth: number
  /** The stored values that are being replaced; null for a new document. */
  readonly before: JsonObject | null
  /** What hooks or the service itself wrote: `readOnly` fields are read like the others. */
  readonly trusted?: boolean
}

/** A document or attachment that a value names and that must exist; a problem belongs at `path`. */
export interface MustExist {
  readonly path: string
  readonly reference: Reference
}

/** What reading values from outside came to. */
export interface ReadResult {
  /** Clean, complete, and sharing nothing with the input. */
  readonly values: JsonObject
  readonly problems: Problem[]
  readonly mustExist: MustExist[]
  /** Paths of fields that the input asks to change and the writer may not. */
  readonly refused: string[]
}

/** One reading of a whole document: where its findings are collected. */
interface Job extends ReadOptions {
  readonly problems: Problem[]
  readonly mustExist: MustExist[]
  readonly refused: string[]
}

/** The values of a holder that nobody has filled in: each field's `def`, or its blank value. */
export function blankFields(fields: Fields, newId: () => string): JsonObject {
  return readFields(fields, {}, { newId, mayEdit: () => true, maxDepth: Number.POSITIVE_INFINITY, before: null }).values
}

/**
 * Outside values → clean values for all fields (§2.13). What is absent becomes `def` or blank, unknown
 * properties are ignored, all problems are reported at once. Reading clean values changes nothing.
 */
export function readFields(
  fields: Fields,
  input: { readonly [name: string]: unknown },
  options: ReadOptions,
): ReadResult {
  const job: Job = { ...options, problems: [], mustExist: [], refused: [] }
  const values = readHolder(fields, input, options.before, new FieldReading(job, '', 0))
  const { problems, mustExist, refused } = job
  return { values, problems, mustExist, refused }
}

class FieldReading implements Reading {
  readonly job: Job
  readonly path: string
  readonly depth: number

  constructor(job: Job, path: string, depth: number) {
    this.job = job
    this.path = path
    this.depth = depth
  }

  problem(message: string, name: Problem['name'] = 'invalid', step = ''): void {
    this.job.problems.push({ path: joinPath(this.path, step), name, message })
  }

  newId(): string {
    return this.job.newId()
  }

  holder(
    fields: Fields,
    input: { readonly [name: string]: unknown },
    step: string,
    before: JsonObject | null = null,
  ): JsonObject {
    const depth = this.depth + 1
    if (depth > this.job.maxDepth) {
      this.problem(`Nest at most ${this.job.maxDepth} objects, lists and areas in one another.`, 'max', step)
      return {}
    }
    return readHolder(fields, input, before, new FieldReading(this.job, joinPath(this.path, step), depth))
  }

  mustExist(reference: Reference): void {
    this.job.mustExist.push({ path: this.path, reference })
  }
}

function readHolder(
  fields: Fields,
  input: { readonly [name: string]: unknown },
  before: JsonObject | null,
  reading: FieldReading,
): JsonObject {
  const values: JsonObject = {}
  for (const field of fields.list) {
    if (field.type.computed) continue
    const value = readField(field, input, before, reading)
    if (field.type.property) Object.assign(values, field.type.property.store(value, field.name))
    else values[field.name] = value
  }
  const aside = before === null ? undefined : keptAside(before, (name) => isFilled(fields.byName.get(name), values))
  if (aside !== undefined) values[ASIDE] = aside
  return values
}

/** True for a field that has got a value, be it another one than before. */
function isFilled(field: Field | undefined, values: JsonObject): boolean {
  return field !== undefined && isStored(field, values) && !isUnfilled(field, values)
}

/** True when the value is what the field has before anybody fills it in, whatever ids that holds. */
export function isUnfilled(field: Field, values: JsonObject): boolean {
  if (isEmpty(field, values)) return true
  const blank = field.type.blank(field.options, () => '')
  return JSON.stringify(storedValue(field, values), withoutIds) === JSON.stringify(blank, withoutIds)
}

function withoutIds(name: string, value: unknown): unknown {
  return name === '_id' ? undefined : value
}

/** True when the field reads what is stored without any complaint, and as what it is. */
export function takesUnchanged(field: Field, values: JsonObject): boolean {
  const stored = storedValue(field, values)
  const problems: Problem[] = []
  const job: Job = { ...UNBOUND, problems, mustExist: [], refused: [] }
  const read = field.type.read(stored, field.options, new FieldReading(job, '', 0))
  return problems.length === 0 && sameJson(read, stored)
}

const UNBOUND: ReadOptions = {
  newId: () => '',
  mayEdit: () => true,
  maxDepth: Number.POSITIVE_INFINITY,
  before: null,
  trusted: true,
}

function readField(
  field: Field,
  input: { readonly [name: string]: unknown },
  before: JsonObject | null,
  reading: FieldReading,
): Json {
  const { job } = reading
  const stored = before === null ? null : storedValue(field, before)
  const given = field.type.property ? field.type.property.given(input, field.name) : own(input, field.name)
  if ((field.readOnly && job.trusted !== true) || !job.mayEdit(field)) {
    const kept = before !== null && isStored(field, before) ? copyJson(stored) : initialValue(field, null, reading)
    if (
      given !== undefined &&
      !job.mayEdit(field) &&
      job.refuses?.(field) &&
      !saysTheSame(field, given, kept, reading)
    ) {
      job.refused.push(joinPath(reading.path, field.name))
    }
    return kept
  }
  if (given === undefined) {
    const isAside = before !== null && Object.hasOwn(asidesOf(before), field.name)
    return isAside ? field.type.blank(field.options, job.newId) : initialValue(field, stored, reading)
  }
  // What is stored was clean when it was stored: a site that has become stricter does not refuse it. Values that are
  // compared with themselves say nothing.
  if (given === stored && typeof stored !== 'object' && input !== before) return stored
  return field.type.read(
    given,
    field.options,
    new FieldReading(job, joinPath(reading.path, field.name), reading.depth),
    stored,
  )
}

/**
 * The value of a field that is absent. Objects are read even so: they may hold what the writer may not change. Secrets
 * are not sent, so that nobody can send them back: they stay.
 */
function initialValue(field: Field, stored: Json, reading: FieldReading): Json {
  const { type, def, options } = field
  const mayKeep = stored !== null && (type.children !== undefined || type.secret !== undefined)
  if (def === undefined && !mayKeep) return type.blank(options, reading.job.newId)
  return type.read(def ?? null, options, silently(reading), stored)
}

/** True when what is given for a field that stays as it is asks for nothing else. */
function saysTheSame(field: Field, given: unknown, kept: Json, reading: FieldReading): boolean {
  const unheard = silently(reading, () => true)
  return sameJson(field.type.read(given, field.options, unheard, kept), kept)
}

/** A reading whose findings nobody hears of. */
function silently({ job, depth }: FieldReading, mayEdit = job.mayEdit): FieldReading {
  return new FieldReading({ ...job, mayEdit, problems: [], mustExist: [], refused: [] }, '', depth)
}

/** True when a holder has a value for the field, be it an empty one. */
export function isStored(field: Field, values: JsonObject): boolean {
  return propertyNames(field).some((name) => Object.hasOwn(values, name))
}

/** The stored value of a field in its holder; null when there is none. */
export function storedValue(field: Field, values: JsonObject): Json {
  if (field.type.property) return field.type.property.stored(values, field.name)
  return own(values, field.name) ?? null
}

/** One field where it lies in a document. */
export interface LocatedField {
  readonly field: Field
  /** The object that holds the field's value. */
  readonly values: JsonObject
  readonly path: string
  /** 0 for the document's own fields. */
  readonly depth: number
  /** The container the field lies in; null for the document's own fields. */
  readonly parent: LocatedField | null
}

/** Every field at any depth, lazily and in schema order, containers before what they hold. */
export function walk(fields: Fields, values: JsonObject): Iterable<LocatedField> {
  return walkHolder(fields, values, '', null)
}

function* walkHolder(
  fields: Fields,
  values: JsonObject,
  base: string,
  parent: LocatedField | null,
): Generator<LocatedField> {
  const depth = parent === null ? 0 : parent.depth + 1
  for (const field of fields.list) {
    const located: LocatedField = { field, values, path: joinPath(base, field.name), depth, parent }
    yield located
    if (field.type.children === undefined) continue
    const value = storedValue(field, values)
    if (value === null) continue
    for (const child of field.type.children(value, field.options)) {
      yield* walkHolder(child.fields, child.values, joinPath(located.path, child.step), located)
    }
  }
}

function topOf(located: LocatedField): LocatedField {
  let top = located
  while (top.parent !== null) top = top.parent
  return top
}

/**
 * Required fields that are empty, at any depth, while their own conditions and those of what they lie in hold. `only`
 * names the top-level fields to look into.
 */
export function requiredProblems(fields: Fields, values: JsonObject, only?: ReadonlySet<string>): Problem[] {
  const problems: Problem[] = []
  for (const located of walk(fields, values)) {
    const { field } = located
    if (!field.required || field.type.computed || !isEmpty(field, located.values) || !isRelevant(located)) continue
    if (only && !only.has(topOf(located).field.name)) continue
    problems.push({ path: located.path, name: 'required', message: `${field.label} is required.` })
  }
  return problems
}

function isRelevant(located: LocatedField | null): boolean {
  if (located === null) return true
  const { field, values, parent } = located
  return (field.if === null || conditionHolds(field.if, values)) && isRelevant(parent)
}

/** True when nothing was filled in. */
export function isEmpty(field: Field, values: JsonObject): boolean {
  const value = storedValue(field, values)
  if (value === null) return true
  if (field.type.isEmpty) return field.type.isEmpty(value)
  return value === '' || (Array.isArray(value) && value.length === 0)
}

/**
 * True when every named neighbour (dotted names lead into nested values) has the value given, or one of a list of
 * them; `$or` holds when one of its conditions does. Of several checked boxes one must match.
 */
export function conditionHolds(condition: FieldCondition, values: JsonObject): boolean {
  return Object.entries(condition).every(([name, wanted]) => {
    // `as`: under `$or`, and only there, a condition holds conditions (FieldCondition).
    if (name === '$or') return (wanted as readonly FieldCondition[]).some((part) => conditionHolds(part, values))
    const actual = valueAt(values, name)
    const candidates = Array.isArray(actual) ? actual : [actual]
    const accepted: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted]
    return candidates.some((candidate) => accepted.includes(candidate))
  })
}

function valueAt(values: JsonObject, name: string): Json {
  let value: Json = values
  for (const step of name.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    value = own(value, step) ?? null
  }
  return value
}

/** The index values of the top-level fields, and the references of fields at any depth; none twice. */
export function indexRowsOf(fields: Fields, values: JsonObject): IndexRow[] {
  const rows = new Map<string, IndexRow>()
  const add = (row: IndexRow) => {
    rows.set(`${row.kind} ${row.name} ${row.number} ${row.text}`, row)
  }
  for (const located of walk(fields, values)) {
    const { field, values: holder, depth } = located
    const { type, options, name } = field
    for (const id of filesAside(holder)) {
      add({ kind: 'attachment', name: `${topOf(located).field.name}:admin`, text: id, number: null })
    }
    if (!type.references && (!type.index || depth > 0)) continue
    const value = storedValue(field, holder)
    if (value === null) continue
    if (depth === 0) for (const found of type.index?.(value, options) ?? []) add({ kind: 'value', name, ...found })
    for (const { kind, id } of type.references?.(value, options) ?? []) {
      add({
        kind,
        name: kind === 'attachment' ? attachmentName(located) : depth === 0 ? name : '*',
        text: id,
        number: null,
      })
    }
  }
  return [...rows.values()]
}

function attachmentName(located: LocatedField): string {
  const role = strictestRole(located)
  return role === null ? topOf(located).field.name : `${topOf(located).field.name}:${role}`
}

/** A piece of text that full text search finds the document by. */
export interface SearchText {
  /** The top-level field that the text lies in. */
  readonly field: Field
  /** The strictest role on the way down to it; null: whoever sees the document. */
  readonly viewRole: Role | null
  readonly text: string
}

/** The texts of a document that can be searched, at any depth, none of them empty. */
export function* searchTexts(fields: Fields, values: JsonObject): Generator<SearchText> {
  for (const located of walk(fields, values)) {
    const { field } = located
    if (!field.type.searchText) continue
    const value = storedValue(field, located.values)
    const text = value === null ? '' : field.type.searchText(value, field.options)
    if (text !== '') yield { field: topOf(located).field, viewRole: strictestRole(located), text }
  }
}

function strictestRole(located: LocatedField): Role | null {
  let strictest: Role | null = null
  for (let at: LocatedField | null = located; at !== null; at = at.parent) {
    const role = at.field.viewRole
    if (role !== null && (strictest === null || hasRole(role, strictest))) strictest = role
  }
  return strictest
}

/** The value of a field as a person would read it; empty when there is none. */
export function textOf(field: Field, values: JsonObject): string {
  const value = storedValue(field, values)
  return value === null ? '' : field.type.toText(value, field.options)
}

/** The texts of all fields of a holder, one after the other. */
export function textOfAll(fields: Fields, values: JsonObject): string {
  const texts = fields.list.map((field) => textOf(field, values))
  return texts.filter((text) => text !== '').join(', ')
}
