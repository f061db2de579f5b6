import { type Document, openValues } from '../../model/terms/document.ts'
import { ROLES } from '../../model/terms/roles.ts'
import { namedActor } from '../access/authenticate.ts'
import { may, type Viewer } from '../permissions.ts'
import { viewsOf } from '../view.ts'
import { seenRefusal } from './seen-refusal.ts'

/** A refusal of a change of a draft as all may read it who read the draft. */
export function refusalForReaders({ site }: Pick<Viewer, 'site'>, draft: Document, failure: unknown): unknown {
  const type = site.types.get(draft.type)
  const readers = ROLES.map((role) => namedActor({ role, name: '' }))
  const least = type && readers.find((actor) => may(actor, 'readDraft', type))
  if (!least) return failure
  return seenRefusal(viewsOf({ site, actor: least }), [{ fields: type.fields, values: openValues(draft) }], failure)
}
