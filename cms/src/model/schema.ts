import type { Problem } from '../base/errors.ts'
import { copyJson, type Json, type JsonObject, own } from '../base/json.ts'
import { joinPath } from '../base/path.ts'
import { sameJson } from '../base/same-json.ts'
import { ANNOTATED, markOf } from './annotation.ts'
import { ASIDE, asidesOf, stillAside } from './aside.ts'
import type { Field, Fields, Reading } from './fields/field-type.ts'
import type { Reference } from './fields/reference.ts'
import { isStored, isUnfilled, type StoredItems, storedElsewhere, storedItems, storedValue } from './walk.ts'

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
  /** A version is restored: nothing is refused, and parts that are no longer allowed are left out. */
  readonly restores?: boolean
}

/** A document or attachment that a value names at `path`. */
export interface NamedReference {
  readonly path: string
  readonly reference: Reference
}

/** The result of reading values from outside. */
export interface ReadResult {
  /** Clean, complete, and sharing nothing with the input. */
  readonly values: JsonObject
  readonly problems: Problem[]
  readonly mustExist: NamedReference[]
  /** Stored documents that the input leaves out; those that the writer was shown do not stay. */
  readonly staysUnseen: NamedReference[]
  /** Paths of fields that the input would change but the writer may not. */
  readonly refused: string[]
}

/** One reading of a whole document: where its findings are collected. */
interface Job extends ReadOptions {
  readonly stored: StoredItems
  readonly problems: Problem[]
  readonly mustExist: NamedReference[]
  readonly staysUnseen: NamedReference[]
  readonly refused: string[]
}

/** The values of a new holder: each field's `def`, or its blank value. */
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
  const findings = noFindings()
  const job: Job = { ...options, stored: storedItems(fields, options), ...findings }
  return { values: readHolder(fields, input, options.before, new FieldReading(job, '', 0)), ...findings }
}

function noFindings(): Pick<Job, 'problems' | 'mustExist' | 'staysUnseen' | 'refused'> {
  return { problems: [], mustExist: [], staysUnseen: [], refused: [] }
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

  get leavesOut(): boolean {
    return this.job.restores === true
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
    return storedElsewhere(this.job.stored(), { id, fields, type })
  }

  mustExist(reference: Reference): void {
    this.job.mustExist.push({ path: this.path, reference })
  }

  staysUnseen(reference: Reference): void {
    this.job.staysUnseen.push({ path: this.path, reference })
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

/** What is wrong with the stored value of a field, as it is declared now; not with fields inside of it. */
export function storedProblem(field: Field, values: JsonObject): string | null {
  const { problems } = readStored(field, values)
  const own = field.type.children === undefined ? problems : problems.filter(({ path }) => path === '')
  return own[0]?.message ?? null
}

function readStored(field: Field, values: JsonObject): { readonly read: Json; readonly problems: readonly Problem[] } {
  const stored = storedValue(field, values)
  const job: Job = { ...UNBOUND, stored: () => new Map(), ...noFindings() }
  return { read: field.type.read(stored, field.options, new FieldReading(job, '', 0)), problems: job.problems }
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
  return field.type.read(
    given,
    field.options,
    new FieldReading(job, joinPath(reading.path, field.name), reading.depth),
    stored,
  )
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
  const unheard = silently(reading, () => true)
  return sameJson(field.type.read(given, field.options, unheard, kept), kept)
}

/** A reading whose findings are discarded. */
function silently({ job, depth }: FieldReading, mayEdit = job.mayEdit): FieldReading {
  return new FieldReading({ ...job, mayEdit, ...noFindings() }, '', depth)
}
