import type { Problem } from '../../base/errors.ts'
import { copyJson, type Json, type JsonObject, joinPath, own, sameJson } from '../../base/json.ts'
import type { Field, Fields, Reading } from '../field-type/field-type.ts'
import { NO_FIELDS } from '../field-type/options.ts'
import type { DocumentReference, Reference } from '../field-type/value-terms.ts'
import { ANNOTATED, markOf } from '../terms/annotation.ts'
import { ASIDE, asidesOf, stillAside } from './aside.ts'
import type { NamedReference, ReadOptions, ReadResult } from './read-result.ts'
import { isStored, isUnfilled, type LocatedField, StoredItems, storedValue, walk } from './walk.ts'

/** One reading of a whole document: where its findings are collected. */
interface Job extends ReadOptions {
  readonly stored: StoredItems
  /** Returns the value of the named copy at this path; null where it has another field there. */
  namedAt(path: string, field: Field): Json
  readonly problems: Problem[]
  readonly mustExist: NamedReference[]
  readonly staysUnseen: NamedReference[]
  readonly refused: string[]
}

/** The values of a new holder: each field's `def`, or its blank value. */
export function blankFields(fields: Fields, newId: () => string): JsonObject {
  return readFields(fields, {}, { ...UNBOUND, newId }).values
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
  const stored = new StoredItems(fields, options)
  const namedAt = valuesByPath(fields, options.named)
  const read = () => {
    const findings = noFindings()
    const job: Job = { ...options, stored, namedAt, ...findings }
    return { values: readHolder(fields, input, options.before, new FieldReading(job, '', 0)), ...findings }
  }
  const result = read()
  return stored.areRepeatedIn(result.values) ? read() : result
}

/** Looked up when it is first asked for. */
function valuesByPath(fields: Fields, values: JsonObject | undefined): Job['namedAt'] {
  if (values === undefined) return () => null
  let known: ReadonlyMap<string, LocatedField> | null = null
  return (path, field) => {
    known ??= new Map([...walk(fields, values)].map((one) => [one.path, one]))
    const found = known.get(path)
    return found?.field === field ? storedValue(field, found.values) : null
  }
}

function noFindings(): Pick<Job, 'problems' | 'mustExist' | 'staysUnseen' | 'refused'> {
  return { problems: [], mustExist: [], staysUnseen: [], refused: [] }
}

class FieldReading implements Reading {
  readonly job: Job
  readonly path: string
  readonly depth: number
  readonly named: Json

  constructor(job: Job, path: string, depth: number, named: Json = null) {
    this.job = job
    this.path = path
    this.depth = depth
    this.named = named
  }

  problem(message: string, name: Problem['name'] = 'invalid', step = ''): void {
    this.job.problems.push({ path: joinPath(this.path, step), name, message })
  }

  newId(): string {
    return this.job.newId()
  }

  get leavesOut(): boolean {
    return this.job.restores === true
  }

  get takesFew(): boolean {
    return this.job.isUnfinished === true
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

  storedElsewhere(id: string, fields: Fields, type?: string): JsonObject | null {
    return this.job.stored.elsewhere(id, fields, type)
  }

  mustExist(reference: Reference): void {
    this.job.mustExist.push({ path: this.path, reference })
  }

  staysUnseen(reference: Reference): void {
    this.job.staysUnseen.push({ path: this.path, reference })
  }

  isUnseen(reference: DocumentReference): boolean {
    return this.job.isUnseen?.(reference) === true
  }
}

function readHolder(
  fields: Fields,
  input: { readonly [name: string]: unknown },
  before: JsonObject | null,
  reading: FieldReading,
): JsonObject {
  const mark = markOf(input)
  if (mark !== null) reading.problem(ANNOTATED, 'invalid', mark)
  const values: JsonObject = {}
  for (const field of fields.list) {
    if (field.type.computed) continue
    const value = readField(field, input, before, reading)
    if (field.type.property) Object.assign(values, field.type.property.store(value, field.name))
    else values[field.name] = value
  }
  const aside = before === null ? undefined : stillAside(before, (name) => isFilled(fields.byName.get(name), values))
  if (aside !== undefined) values[ASIDE] = aside
  return values
}

/** True for a field with a value other than its blank one. */
function isFilled(field: Field | undefined, values: JsonObject): boolean {
  return field !== undefined && isStored(field, values) && !isUnfilled(field, values)
}

/** True when the field reads its stored value without problems and unchanged. */
export function takesUnchanged(field: Field, values: JsonObject): boolean {
  const { read, problems } = readStored(field, values)
  return problems.length === 0 && sameJson(read, storedValue(field, values))
}

/** Returns the problem with a stored value under its current declaration, but for fields inside; null for none. */
export function storedProblem(field: Field, values: JsonObject): string | null {
  const { problems } = readStored(field, values)
  const own = field.type.children === undefined ? problems : problems.filter(({ path }) => path === '')
  return own[0]?.message ?? null
}

/**
 * A stored value as the field accepts it, in the properties that it is stored in: rich text without the tags that are not
 * allowed, for instance. Null when something is wrong with it.
 */
export function acceptedProperties(field: Field, values: JsonObject): JsonObject | null {
  const { read, problems } = readStored(field, values)
  if (problems.length > 0) return null
  return field.type.property ? field.type.property.store(read, field.name) : { [field.name]: read }
}

function readStored(field: Field, values: JsonObject): { readonly read: Json; readonly problems: readonly Problem[] } {
  const stored = storedValue(field, values)
  const job: Job = { ...UNBOUND, stored: NO_ITEMS, namedAt: () => null, ...noFindings() }
  return { read: field.type.read(stored, field.options, new FieldReading(job, '', 0)), problems: job.problems }
}

/** Reads what nobody has written, but the site or its stored content says: all fields, at any depth. */
export const UNBOUND: ReadOptions = {
  newId: () => '',
  mayEdit: () => true,
  maxDepth: Number.POSITIVE_INFINITY,
  before: null,
  trusted: true,
}

const NO_ITEMS = new StoredItems(NO_FIELDS, UNBOUND)

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
      !asksForSameValue(field, given, kept, reading)
    ) {
      job.refused.push(joinPath(reading.path, field.name))
    }
    return kept
  }
  if (given === undefined) {
    const isAside = before !== null && Object.hasOwn(asidesOf(before), field.name)
    return isAside ? field.type.blank(field.options, job.newId) : initialValue(field, stored, reading)
  }
  // A stored value was clean when it was stored, so a stricter site does not refuse it when it is sent unchanged. When
  // the input is the stored values themselves, equality says nothing.
  if (input !== before && isUnchanged(field, given, stored)) return copyJson(stored)
  const path = joinPath(reading.path, field.name)
  const inside = new FieldReading(job, path, reading.depth, job.namedAt(path, field))
  if (isUnchanged(field, given, inside.named)) return copyJson(inside.named)
  return field.type.read(given, field.options, inside, stored)
}

/**
 * Whether a value is the stored one. What has fields inside is read all the same: each of them is looked at by itself.
 */
function isUnchanged({ type }: Field, given: unknown, stored: Json): boolean {
  if (typeof stored !== 'object') return given === stored
  // `as`: what is equal to JSON is JSON.
  return stored !== null && type.children === undefined && sameJson(given as Json, stored)
}

/**
 * The value of a field that is absent. Objects are still read: they may contain values that the writer may not change.
 * Secrets are never sent to clients, who cannot send them back: they stay.
 */
function initialValue(field: Field, stored: Json, reading: FieldReading): Json {
  const { type, def, options } = field
  const mayKeep = stored !== null && (type.children !== undefined || type.secret !== undefined)
  if (def === undefined && !mayKeep) return type.blank(options, reading.job.newId)
  return type.read(def ?? null, options, silently(reading), stored)
}

/** True when the input for a field that must not change equals its present value. */
function asksForSameValue(field: Field, given: unknown, kept: Json, reading: FieldReading): boolean {
  const unheard = silently(reading, { mayEdit: () => true, newId: () => '' })
  const asRead = (value: unknown) => field.type.read(value, field.options, unheard, kept)
  // Read as well, since the stored value may lack fields declared later; a copy, since it counts as sent back.
  return sameJson(asRead(given), asRead(copyJson(kept)))
}

/** A reading whose findings are discarded. */
function silently({ job, depth }: FieldReading, instead: Partial<ReadOptions> = {}): FieldReading {
  return new FieldReading({ ...job, ...instead, ...noFindings() }, '', depth)
}
