import { CmsError, type Problem, problemsIn } from '../../base/errors.ts'
import { copyJson, type Json, type JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { WriteContext } from '../context.ts'
import { clean } from './clean.ts'
import { lostValues, removeAt } from './lost-values.ts'

/** The values of one copy of a document that is imported, and what is stored of it here. */
export interface ImportedValues {
  readonly fields: JsonObject
  readonly before: JsonObject | null
}

/** A value that does not fit into its field, with why. */
export type Misfit = Problem & { readonly value: Json }

/** How often values are read again without those that did not fit. */
const ATTEMPTS = 20

/**
 * Clean fields of all that fits, for the copies of one document. What does not fit is taken out of the given fields, in
 * place. Throws `invalid` where that is not enough.
 */
export async function cleanImported(
  ctx: WriteContext,
  type: Type,
  copies: readonly ImportedValues[],
): Promise<{ readonly cleaned: readonly JsonObject[]; readonly misfits: readonly Misfit[] }> {
  const misfits: Misfit[] = []
  for (let attempt = 1; ; attempt += 1) {
    // Each copy may have what is stored in the other one: it would be taken out of both.
    const inputs = copies.map(({ fields, before }, index) => {
      return { values: fields, before, named: copies[1 - index]?.before ?? undefined, touched: null }
    })
    try {
      return { cleaned: await clean(ctx, { type, kind: 'imported', inputs }), misfits }
    } catch (error) {
      if (!(error instanceof CmsError) || error.name !== 'invalid') throw error
      const taken = problemsIn(error)
        .toReversed()
        .flatMap((problem) => takeOut(copies, problem))
      misfits.push(...taken)
      if (taken.length === 0 || attempt === ATTEMPTS) throw error
    }
  }
}

function takeOut(copies: readonly ImportedValues[], problem: Problem): Misfit[] {
  const before = copies.map(({ fields }) => copyJson(fields))
  const removed = copies.filter(({ fields }) => removeAt(fields, problem.path))
  const lost = copies.flatMap(({ fields }, index) => [...lostValues(before[index] ?? {}, fields)])
  return removed.length > 0 ? [{ ...problem, value: lost[0]?.value ?? null }] : []
}
