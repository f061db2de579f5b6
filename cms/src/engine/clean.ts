import { forbidden, invalidFields, type Problem } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { type JsonObject, own } from '../base/json.ts'
import { sameJson } from '../base/same-json.ts'
import type { Field } from '../model/fields/field-type.ts'
import { hasRole } from '../model/roles.ts'
import { readFields, requiredProblems, walk } from '../model/schema.ts'
import type { Type } from '../model/types.ts'
import type { WriteContext } from './context.ts'
import { mayWriteField, roleOf } from './permissions.ts'
import { checkReferences } from './references.ts'
import { hashSecret } from './secrets.ts'

/** What one copy shall hold, as it came from outside. */
export interface Input {
  readonly values: { readonly [name: string]: unknown }
  /** What is stored now; null for a new copy. */
  readonly before: JsonObject | null
  /** The top-level fields that must be filled in; null: all required ones. */
  readonly required: ReadonlySet<string> | null
  /** What the service or a site's hook wrote: every field may be written. */
  readonly trusted?: boolean
}

/**
 * Outside values → clean fields, for all copies that one request changes. Throws `invalid` with every wrong field, and
 * `forbidden` when the body changes a field that the caller sees but may not write.
 */
export async function clean(ctx: WriteContext, type: Type, inputs: readonly Input[]): Promise<JsonObject[]> {
  const ids: string[] = []
  const read = inputs.map((input) => {
    const result = readFields(type.fields, input.values, readOptions(ctx, input, sameIds(ids)))
    if (!input.trusted) assertNothingRefused(ctx, type, input, result.values)
    return { ...result, before: input.before, required: input.required }
  })
  const missing = await checkReferences(ctx, type, read)
  const problems = [...read.flatMap((copy) => [...copy.problems, ...emptyProblems(type, copy)]), ...missing]
  if (problems.length > 0) throw invalidFields(once(problems))
  for (const copy of read) await hashSecrets(type, copy.values, copy.before)
  return read.map((copy) => withOrigin(copy.values, copy.before))
}

/** New items get the same ids in both copies: the ones made for the first copy serve the next one too. */
function sameIds(ids: string[]): () => string {
  let place = 0
  return () => {
    const id = ids[place] ?? newId()
    ids[place] = id
    place += 1
    return id
  }
}

function readOptions(ctx: WriteContext, input: Input, ids: () => string) {
  const trusted = input.trusted ?? false
  return {
    newId: ids,
    mayEdit: (field: Field) => trusted || mayWriteField(ctx.actor, field),
    maxDepth: ctx.site.limits.depth,
    before: input.before,
    trusted,
  }
}

/** A field that is wrong is not reported as missing too. */
function emptyProblems(
  type: Type,
  copy: { values: JsonObject; problems: readonly Problem[]; required: ReadonlySet<string> | null },
): Problem[] {
  const wrong = new Set(copy.problems.map((problem) => problem.path))
  return requiredProblems(type.fields, copy.values, copy.required ?? undefined).filter(({ path }) => !wrong.has(path))
}

/** Draft and published copy have mostly the same mistakes: each is told once. */
function once(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.path}\n${problem.name}`, problem])).values()]
}

function assertNothingRefused(ctx: WriteContext, type: Type, input: Input, kept: JsonObject): void {
  const role = roleOf(ctx.actor)
  for (const field of type.fields.list) {
    if (!field.editRole || hasRole(role, field.editRole)) continue
    if (field.viewRole && !hasRole(role, field.viewRole)) continue
    if (own(input.values, field.name) === undefined) continue
    const asked = readFields({ list: [field], byName: new Map([[field.name, field]]) }, input.values, {
      ...readOptions(ctx, input, newId),
      mayEdit: () => true,
    })
    const isSame = Object.entries(asked.values).every(([name, value]) => sameJson(value, kept[name]))
    if (!isSame) throw forbidden(`Your role does not allow changing ${field.name}.`)
  }
}

async function hashSecrets(type: Type, values: JsonObject, before: JsonObject | null): Promise<void> {
  const stored = new Set<unknown>()
  if (before) {
    for (const { field, values: holder } of walk(type.fields, before)) {
      if (field.type.secret) stored.add(holder[field.name])
    }
  }
  for (const { field, values: holder } of walk(type.fields, values)) {
    const secret = holder[field.name]
    if (!field.type.secret || typeof secret !== 'string' || secret === '' || stored.has(secret)) continue
    holder[field.name] = await hashSecret(secret)
  }
}

/** What a document was copied from stays with it (§4.1 POST). */
function withOrigin(values: JsonObject, before: JsonObject | null): JsonObject {
  const origin = before ? own(before, 'copyOfId') : undefined
  return origin === undefined ? values : { ...values, copyOfId: origin }
}
