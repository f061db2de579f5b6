import { unknownProjected } from '../../engine/answers/unknown-projected.ts'
import type { Context } from '../../engine/context.ts'
import type { TypeView } from '../../engine/view.ts'
import { project, withRelationships } from './read-parameters.ts'
import type { QueryParameter } from './route.ts'

/** The parameters that say what is answered of documents, which are of the types that the caller sees of these. */
export function wantedOf(seen: (ctx: Context) => readonly TypeView[]): readonly QueryParameter[] {
  return [{ ...project, unknownNames: (ctx, value) => unknownProjected(ctx, seen(ctx), value) }, withRelationships]
}
