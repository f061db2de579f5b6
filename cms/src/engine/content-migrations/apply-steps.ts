import { CmsError, invalid, problemsIn } from '../../base/errors.ts'
import { type JsonObject, sameJson } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { OpenCopies, OpenDocument } from '../../model/terms/document.ts'
import type { WriteContext } from '../context.ts'
import { cleanMany } from '../values/clean.ts'
import type { Step, StepChange } from './steps.ts'

/** A step that was called, and the epoch that its move began. */
interface CalledStep {
  readonly step: Step
  readonly since: number
}

/** A copy on its way through the steps. */
interface Passing {
  readonly copies: OpenCopies
  readonly stored: OpenDocument
  readonly document: OpenDocument
  readonly type: Type | null
  readonly isChanged: boolean
}

/** The result of all steps of a pass for some documents. */
export interface Applied {
  /** The stored copies that change, with what they become. */
  readonly changed: readonly (Pick<Passing, 'copies' | 'document'> & {
    readonly type: Type
    readonly fields: JsonObject
  })[]
  /** For each step, the copies that it has changed, as they were stored. */
  readonly byStep: readonly (readonly OpenDocument[])[]
}

/** Takes copies through all steps of a pass: a number of statements that depends on the steps alone. */
export async function applySteps(
  ctx: WriteContext,
  steps: readonly CalledStep[],
  all: readonly OpenCopies[],
  isMoved: (fields: JsonObject, since: number) => boolean,
): Promise<Applied> {
  let passing: readonly Passing[] = all.flatMap((copies) =>
    [copies.draft, copies.published].flatMap((stored) =>
      stored ? [{ copies, stored, document: stored, type: null, isChanged: false }] : [],
    ),
  )
  const byStep: Applied['byStep'][number][] = []
  for (const { step, since } of steps) {
    const found = await changesOf(step, passing, (fields) => isMoved(fields, since))
    const fields = await cleaned(ctx, found)
    const after = new Map(found.map((one, index) => [one.passing, afterStep(one, fields[index])]))
    passing = passing.map((one) => after.get(one) ?? one)
    const effective = found.filter((one, index) => one.change.values === null || !isSame(one, fields[index]))
    byStep.push(effective.map(({ passing: { stored } }) => stored))
  }
  const changed = passing.flatMap(({ copies, stored, document, type, isChanged }) =>
    type && isChanged ? [{ copies, document: stored, type, fields: document.fields }] : [],
  )
  return { changed, byStep }
}

interface StepResult {
  readonly passing: Passing
  readonly change: StepChange
}

async function changesOf(
  step: Step,
  passing: readonly Passing[],
  isMoved: (fields: JsonObject) => boolean,
): Promise<StepResult[]> {
  const found: StepResult[] = []
  for (const one of passing) {
    if (!step.types.includes(one.document.type)) continue
    const copy = { document: one.document, isMoved: isMoved(one.stored.fields) }
    const change = await step.change(copy).catch((reason) => failAt(one.document, reason))
    if (change !== null) found.push({ passing: one, change })
  }
  return found
}

/** The new fields of copies, checked as if they were sent; undefined where only the place of values has changed. */
async function cleaned(ctx: WriteContext, found: readonly StepResult[]): Promise<(JsonObject | undefined)[]> {
  const fields = new Map<StepResult, JsonObject>()
  const mapped = found.filter(({ change }) => change.values !== null)
  for (const [type, ofType] of Map.groupBy(mapped, ({ change }) => change.type)) {
    const all = await cleanAll(ctx, type, ofType)
    for (const [index, one] of ofType.entries()) fields.set(one, all[index] ?? {})
  }
  return found.map((one) => fields.get(one))
}

async function cleanAll(ctx: WriteContext, type: Type, found: readonly StepResult[]): Promise<JsonObject[]> {
  try {
    return await cleanMany(ctx, { type, kind: 'trusted', inputs: found.map(inputOf) })
  } catch (error) {
    // Cleans each by itself to find the document with the problem.
    for (const one of found) {
      const inputs = [inputOf(one)]
      await cleanMany(ctx, { type, kind: 'trusted', inputs }).catch((reason) => failAt(one.passing.document, reason))
    }
    throw error
  }
}

function inputOf({ passing, change: { values } }: StepResult) {
  return { values: values?.values ?? {}, before: passing.document.fields, touched: values?.touched ?? null }
}

function isSame({ passing }: StepResult, fields: JsonObject | undefined): boolean {
  return sameJson(fields, passing.document.fields)
}

function afterStep(found: StepResult, fields: JsonObject | undefined): Passing {
  const { passing, change } = found
  if (fields !== undefined && isSame(found, fields)) return passing
  const document = { ...passing.document, type: change.type.name, fields: fields ?? passing.document.fields }
  return { ...passing, document, type: change.type, isChanged: true }
}

/** Fails with the name of the document, and what is wrong with it. */
function failAt(document: OpenDocument, reason: unknown): never {
  const at = nameOf(document)
  if (!(reason instanceof CmsError)) throw new Error(`The migration fails at ${at}.`, { cause: reason })
  const what = problemsIn(reason).length === 0 ? `: ${reason.message}` : '.'
  throw invalid(`The migration fails at ${at}${what}`, { ...reason.data })
}

/** `article "Bread" (3k9…, en, draft)` */
export function nameOf({ id, type, fields }: OpenDocument): string {
  const { docId, locale, mode } = id
  return `${type} ${JSON.stringify(fields.title ?? '')} (${[docId, locale, mode].filter((one) => one !== '').join(', ')})`
}
