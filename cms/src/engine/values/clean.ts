import { about, forbidden, invalidFields, type Problem } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { copyJson, isObject, type Json, type JsonObject, own, type UnknownObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { ASIDE } from '../../model/values/aside.ts'
import type { ReadResult } from '../../model/values/read-result.ts'
import { requiredProblems } from '../../model/values/required.ts'
import { readFields } from '../../model/values/schema.ts'
import { isStored, propertyNames, walk } from '../../model/values/walk.ts'
import { hashSecret } from '../access/secrets.ts'
import type { WriteContext } from '../context.ts'
import { cropProblems } from '../media/requested-crops.ts'
import { type CopyScope, viewsOf } from '../view.ts'
import { checkReferences } from './check-references.ts'
import { dropUnusable } from './drop-unusable.ts'
import { type UnseenDocuments, unseenDocuments } from './unseen-documents.ts'
import { HANDLING, type Handling, type ValueKind } from './value-kinds.ts'

/** The values for one copy, as they came from outside. */
export interface Input {
  readonly values: UnknownObject
  /** The stored values; null for a new copy. */
  readonly before: JsonObject | null
  /** The values of the other copy (of the one that a request names): values that may stay there are accepted here. */
  readonly named?: JsonObject | undefined
  /** The top-level fields to read, or null for all; others stay as they are stored, even when they have become wrong. */
  readonly touched: ReadonlySet<string> | null
  /** The fields of the type that it had, where that is another one: all required fields of the new one count. */
  readonly formerFields?: Fields | undefined
  /** A draft that may be incomplete (§3.2): required fields may be empty, and lists too short. */
  readonly isUnfinished?: boolean
  /** The locale and mode in which the caller has read what the values send back. */
  readonly shownIn?: CopyScope
}

/** Values to clean, of one type and kind. */
interface Inputs {
  readonly type: Type
  readonly kind: ValueKind
  readonly inputs: readonly Input[]
}

/**
 * Outside values → clean fields, for all copies of one document that a request changes; copies with the same input get
 * the same object. What is done with the values follows from their kind (`HANDLING`). Throws `invalid` with every wrong
 * field, and `forbidden` when a body changes a field that the caller sees but may not write.
 */
export async function clean(ctx: WriteContext, all: Inputs): Promise<JsonObject[]> {
  const inputs = [...new Set(all.inputs)]
  const ids: string[] = []
  const hashes = new Map<string, string>()
  const sharing = { ids, idsOfCopy: () => sameIds(ids), hashesOfCopy: () => hashes }
  const fields = await cleanAll(ctx, { ...all, inputs }, sharing)
  const cleaned = new Map(inputs.map((input, index) => [input, fields[index] ?? {}]))
  return all.inputs.map((input) => cleaned.get(input) ?? {})
}

/** Like `clean`, for one copy of each of several documents. */
export function cleanMany(ctx: WriteContext, all: Inputs): Promise<JsonObject[]> {
  const ids: string[] = []
  return cleanAll(ctx, all, { ids, idsOfCopy: () => newIds(ids), hashesOfCopy: () => new Map() })
}

/** Shared by the copies of one document, but not by those of several. */
interface Sharing {
  /** All ids that were made for parts of the values. */
  readonly ids: readonly string[]
  idsOfCopy(): () => string
  /** The hashes made so far, by the secret: one that is given for both copies has one hash, so that they do not differ. */
  hashesOfCopy(): Map<string, string>
}

async function cleanAll(
  ctx: WriteContext,
  { type, kind, inputs }: Inputs,
  { ids, idsOfCopy, hashesOfCopy }: Sharing,
): Promise<JsonObject[]> {
  const stored = inputs.flatMap(({ before }) => (before === null ? [] : [{ fields: type.fields, values: before }]))
  const looked = HANDLING[kind].foreignFields === 'write' ? [] : stored
  const unseen = await unseenDocuments(ctx, ctx.tx.read.documents, looked)
  const handling = HANDLING[kind]
  const copies = inputs.map((input) => {
    const isComplete = handling.isComplete && !input.isUnfinished
    return readCopy(ctx, type, { ...input, ...handling, isComplete, unseen, newId: idsOfCopy() })
  })
  const refused = copies.flatMap((copy) => copy.refused)
  if (refused.length > 0) throw forbidden(`Your role does not allow changing ${[...new Set(refused)].join(', ')}.`)
  const unusable = await referenceProblems(ctx, type, copies)
  const made = new Set(ids)
  const problemsOf = copies.map((copy, index) => {
    const wrong = copy.wrongValues === 'refuse' ? copy.problems : []
    const paths = new Set(wrong.map(({ path }) => path))
    // A field that is wrong is not reported as missing too.
    const empty = namedByIndex(emptyProblems(ctx, type, copy), copy.values, made).filter(({ path }) => !paths.has(path))
    return [...wrong, ...empty, ...namedByIndex(unusable[index] ?? [], copy.values, made)]
  })
  const crops = HANDLING[kind].hasCrops ? await cropProblems(ctx, type, copies) : []
  const problems = once([...problemsOf.flat(), ...crops])
  const wrong = copies[problemsOf.findIndex((some) => some.length > 0)]
  if (problems.length > 0) throw about(invalidFields(problems), type.name, wrong?.values.title)
  for (const copy of copies) await hashSecrets(type, copy, hashesOfCopy())
  return copies.map((copy) => withOrigin(copy.values, copy.before))
}

/** Returns the problems with the references of each copy; drops, in place, those that cannot be used. */
async function referenceProblems(ctx: WriteContext, type: Type, copies: readonly Copy[]): Promise<Problem[][]> {
  const { types, problems } = await checkReferences(ctx, type, copies)
  const all: Problem[][] = []
  for (const [index, copy] of copies.entries())
    all.push([...(problems[index] ?? []), ...(await dropUnusable(ctx, type, copy, types))])
  return all
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

type Copy = ReadResult & Input & Handling & { readonly values: JsonObject }

interface CopyReading extends Input, Handling {
  readonly unseen: UnseenDocuments
  newId(): string
}

function readCopy(ctx: WriteContext, type: Type, { newId, unseen, ...input }: CopyReading): Copy {
  const { before, named, touched, foreignFields, wrongValues, isUnfinished } = input
  const writesAll = foreignFields === 'write'
  const isRead = (field: Field) =>
    touched === null || before === null || touched.has(field.name) || !isStored(field, before)
  const views = viewsOf(ctx)
  const result = readFields(only(type.fields, isRead), input.values, {
    newId,
    mayEdit: (field) => writesAll || views.mayWrite(field),
    isUnseen: (reference) => !writesAll && unseen.has(reference),
    refuses: (field) => foreignFields === 'refuse' && !views.hides(field),
    maxDepth: ctx.site.limits.depth,
    before,
    named,
    trusted: writesAll,
    restores: wrongValues === 'drop',
    isUnfinished,
  })
  const values = touched === null || before === null ? result.values : merged(type.fields, before, result.values)
  if (before !== null && !writesAll) unseen.keep(type.fields, values, before)
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

/** Required fields that are empty, and that the caller is asked for. */
function emptyProblems(ctx: WriteContext, type: Type, copy: Copy): Problem[] {
  if (!copy.isComplete) return []
  const { formerFields, touched, before, named } = copy
  const looked = formerFields ? undefined : (touched ?? undefined)
  const fields = formerFields ?? type.fields
  const stored = [before, named].flatMap((values) => (values ? [{ fields, values }] : []))
  const views = viewsOf(ctx)
  const asks = (field: Field) => views.asksFor(field, before === null)
  return requiredProblems(type.fields, copy.values, { only: looked, before: stored, asks })
}

/** By list, the index of each of its items that has an id. */
type Places = Map<readonly Json[], ReadonlyMap<string, number>>

/** Names items by their index where the service made their ids, which the caller does not know. */
function namedByIndex(problems: readonly Problem[], values: JsonObject, made: ReadonlySet<string>): Problem[] {
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

/** Replaces secrets that are not stored yet by their hashes, in place; `hashes` holds those made so far. */
async function hashSecrets(type: Type, { values, before }: Copy, hashes: Map<string, string>): Promise<void> {
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
