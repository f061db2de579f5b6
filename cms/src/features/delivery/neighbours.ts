import type { JsonObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import type { Document } from '../../model/document.ts'
import type { IndexOptions, Type } from '../../model/types.ts'

/** The pieces beside one, and where each belongs once it is presented. */
interface Neighbours {
  readonly documents: readonly Document[]
  place(shown: readonly JsonObject[]): { previous: JsonObject | null; next: JsonObject | null }
}

/** The pieces before and after one, in the order of its index page. */
export async function neighbours(
  _ctx: Context,
  _of: { readonly index: IndexOptions; readonly type: Type },
  _piece: Document,
): Promise<Neighbours> {
  return { documents: [], place: () => ({ previous: null, next: null }) }
}
