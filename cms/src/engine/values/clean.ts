import { forbidden, invalidFields, type Problem } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { copyJson, isObject, type Json, type JsonObject, own } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { ASIDE } from '../../model/values/aside.ts'
import { propertyNames } from '../../model/values/property-names.ts'
import type { ReadResult } from '../../model/values/read-result.ts'
import { requiredProblems } from '../../model/values/required.ts'
import { readFields } from '../../model/values/schema.ts'
import { isStored, walk } from '../../model/values/walk.ts'
import { hashSecret } from '../access/secrets.ts'
import type { WriteContext } from '../context.ts'
import { isAskedFor, isHiddenFrom, mayWriteField, type Viewer } from '../permissions.ts'
import type { CopyScope } from '../related.ts'
import { checkReferences } from './check-references.ts'
import { keepUnseenRelationships } from './field-access.ts'

/** The values for one copy, as they came from outside. */
export interface Input {
  readonly values: { readonly [name: string]: unknown }
  /** What is stored now; null for a new copy. */
  readonly before: JsonObject | null
  /** What the other copy has (of a request, the one that it names): what may stay there may come here. */
  readonly named?: JsonObject | undefined
  /** The top-level fields to read; all others stay as they are stored, even when they have become wrong. Null: all. */
  readonly touched: ReadonlySet<string> | null
  /** Whether required fields must be filled in. */
  readonly mustBeComplete: boolean
  /** The fields of the type that it had, where that is another one: all required fields of the new one count. */
  readonly formerFields?: Fields | undefined
  /** What the caller sees and may not write keeps its value, and is not refused: values of a version, sent back. */
  readonly keepsUnwritable?: boolean
  /**
   * Values of a version: those that their fields do not accept any more are left out, and not refused; ids of documents
   * of types that the site does not have stay.
   */
  readonly restores?: boolean
  /** What the service or a site's hook wrote: every field may be written. */
  readonly trusted?: boolean
  /** The locale and mode in which the caller has read what the values send back. */
  readonly shownIn?: CopyScope
  /** Of a document of its own: the others are not its other copy. */
  readonly isApart?: true
}

/** Finds further problems in fields that were read. */
type Check = (ctx: WriteContext, type: Type, copies: readonly Copy[]) => Promise<Problem[]>

/**
 * Outside values → clean fields, for all copies that one request changes; copies with the same input get the same
 * object. Throws `invalid` with every wrong field, and `forbidden` when the body changes a field that the caller sees
 * but may not write. `check` finds further problems.
 */
export async function clean(
  ctx: WriteContext,
  type: Type,
  inputs: readonly Input[],
  check: Check = async () => [],
): Promise<JsonObject[]> {
  const distinct = [...new Set(inputs)]
  const fields = await cleanEach(ctx, type, distinct, check)
  const cleaned = new Map(distinct.map((input, index) => [input, fields[index] ?? {}]))
  return inputs.map((input) => cleaned.get(input) ?? {})
}

async function cleanEach(ctx: WriteContext, type: Type, inputs: readonly Input[], check: Check): Promise<JsonObject[]> {
  const ids: string[] = []
  const copies = inputs.map((input) => readCopy(ctx, type, input, input.isApart ? newIds(ids) : sameIds(ids)))
  const refused = copies.flatMap((copy) => copy.refused)
  if (refused.length > 0) throw forbidden(`Your role does not allow changing ${[...new Set(refused)].join(', ')}.`)
  const unusable = await checkReferences(ctx, type, copies)
  const made = new Set(ids)
  const problems = copies.flatMap((copy, index) => [
    ...(copy.restores ? [] : [...copy.problems, ...emptyProblems(ctx, type, copy, made)]),
    ...asGiven(unusable[index] ?? [], copy.values, made),
  ])
  const wrong = [...problems, ...(await check(ctx, type, copies))]
  if (wrong.length > 0) throw invalidFields(once(wrong))
  const hashes = new Map<string, string>()
  for (const copy of copies)
    await hashSecrets(type, copy.values, copy.before, copy.isApart ? new Map<string, string>() : hashes)
  return copies.map((copy) => withOrigin(copy.values, copy.before))
}

/** New items get the same ids in both copies: the ones made for the first copy serve the next one too. */
function sameIds(ids: string[]): () => string {
  let index = 0
  return () => {
    const id = ids[index] ?? newId()
    ids[index] = id
    index += 1
    return id
  }
}

function newIds(ids: string[]): () => string {
  return () => {
    const id = newId()
    ids.push(id)
    return id
  }
}

type Copy = ReadResult & Input & { readonly values: JsonObject }

function readCopy(ctx: WriteContext, type: Type, input: Input, ids: () => string): Copy {
  const { before, named, touched, keepsUnwritable = false, trusted = false, restores = false } = input
  const isRead = (field: Field) =>
    touched === null || before === null || touched.has(field.name) || !isStored(field, before)
  const result = readFields(only(type.fields, isRead), input.values, {
    newId: ids,
    mayEdit: (field) => trusted || mayWriteField(ctx.actor, field),
    refuses: (field) => !keepsUnwritable && !isHiddenFrom(ctx.actor, field),
    maxDepth: ctx.site.limits.depth,
    before,
    named,
    trusted,
    restores,
  })
  const values = touched === null || before === null ? result.values : merged(type.fields, before, result.values)
  if (before !== null && !trusted) keepUnseenRelationships(ctx, type.fields, values, before)
  return { ...input, ...result, values: titled(type, values, before) }
}

/** Adds the title that the type computes, when none is given and none was given before. */
function titled({ hooks }: Type, values: JsonObject, before: JsonObject | null): JsonObject {
  // `as`: the model cannot name what hooks are handed; values of the type are what they are handed here.
  const make = hooks.title as ((fields: JsonObject) => string) | undefined
  if (make === undefined) return values
  const isMade = before !== null && values.title === before.title && before.title === make(before)
  return values.title === '' || isMade ? { ...values, title: make(values) } : values
}

function only(fields: Fields, isRead: (field: Field) => boolean): Fields {
  return { list: fields.list.filter(isRead), byName: fields.byName }
}

/** The stored values of all fields, with those that were read in their place. */
function merged(fields: Fields, before: JsonObject, read: JsonObject): JsonObject {
  const names = fields.list.flatMap(propertyNames)
  const kept = names.filter((name) => !Object.hasOwn(read, name) && Object.hasOwn(before, name))
  const all = { ...Object.fromEntries(kept.map((name) => [name, copyJson(before[name] ?? null)])), ...read }
  // Values set aside were read together with those fields.
  return Object.fromEntries([...names, ASIDE].flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
}

/** A field that is wrong is not reported as missing too. */
function emptyProblems({ actor }: Viewer, type: Type, copy: Copy, made: ReadonlySet<string>): Problem[] {
  if (!copy.mustBeComplete) return []
  const wrong = new Set(copy.problems.map((problem) => problem.path))
  const { formerFields, touched, before, named, trusted = false } = copy
  const looked = formerFields ? undefined : (touched ?? undefined)
  const fields = formerFields ?? type.fields
  const stored = [before, named].flatMap((values) => (values ? [{ fields, values }] : []))
  const asks = (field: Field) => trusted || isAskedFor(actor, field, before === null)
  const empty = requiredProblems(type.fields, copy.values, { only: looked, before: stored, asks })
  return asGiven(empty, copy.values, made).filter(({ path }) => !wrong.has(path))
}

/** By list, the index of each of its items that has an id. */
type Places = Map<readonly Json[], ReadonlyMap<string, number>>

/** Names items by their index where the service made their ids, which the caller does not know. */
function asGiven(problems: readonly Problem[], values: JsonObject, made: ReadonlySet<string>): Problem[] {
  const places: Places = new Map()
  return problems.map((problem) => ({ ...problem, path: givenPath(problem.path, values, { made, places }) }))
}

function givenPath(
  path: string,
  values: JsonObject,
  { made, places }: { readonly made: ReadonlySet<string>; readonly places: Places },
): string {
  let at: Json | undefined = values
  const steps = path.split('.').map((step) => {
    const list: Json | undefined = isObject(at) && at.metaType === 'area' ? own(at, 'items') : at
    if (!Array.isArray(list)) {
      at = isObject(list) ? own(list, step) : undefined
      return step
    }
    const index: number = placesIn(list, places).get(step) ?? -1
    at = list[index]
    return made.has(step) ? String(index) : step
  })
  return steps.join('.')
}

/** Looked up once for each list: thousands of items may be wrong. */
function placesIn(list: readonly Json[], places: Places): ReadonlyMap<string, number> {
  const known = places.get(list)
  if (known !== undefined) return known
  const made = new Map(list.flatMap((item, index) => (isObject(item) ? [[String(item._id), index] as const] : [])))
  places.set(list, made)
  return made
}

/** Draft and published copy mostly have the same problems: each is reported once. */
function once(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.path}\n${problem.name}`, problem])).values()]
}

/** A secret given for both copies has one hash, so that they do not differ; `hashes` holds those made so far. */
async function hashSecrets(
  type: Type,
  values: JsonObject,
  before: JsonObject | null,
  hashes: Map<string, string>,
): Promise<void> {
  const stored = new Set<unknown>()
  if (before) {
    for (const { field, values: holder } of walk(type.fields, before)) {
      if (field.type.secret) stored.add(holder[field.name])
    }
  }
  for (const { field, values: holder } of walk(type.fields, values)) {
    const secret = holder[field.name]
    if (!field.type.secret || typeof secret !== 'string' || secret === '' || stored.has(secret)) continue
    const hash = hashes.get(secret) ?? (await hashSecret(secret))
    hashes.set(secret, hash)
    holder[field.name] = hash
  }
}

/** A document keeps the reference to its original (§4.1 POST). */
function withOrigin(values: JsonObject, before: JsonObject | null): JsonObject {
  const origin = before ? own(before, 'copyOfId') : undefined
  return origin === undefined ? values : { ...values, copyOfId: origin }
}
