import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { OpenCopies, OpenDocument } from '../../model/terms/document.ts'
import type { Mode } from '../../model/terms/document-id.ts'
import type { WriteContext } from '../context.ts'
import { type Change, MODES } from '../save/change.ts'
import { saveMany } from '../save/save.ts'

/** A copy that a migration changes, with what it becomes. */
interface MigratedCopy {
  readonly copies: OpenCopies
  /** As it is stored. */
  readonly document: OpenDocument
  readonly type: Type
  readonly fields: JsonObject
}

/** Saves copies as a migration does: each document once, with a version; their times and authors stay. */
export async function saveMigrated(ctx: WriteContext, changed: readonly MigratedCopy[]): Promise<void> {
  for (const changes of rounds(changed)) await saveMany(ctx, changes)
}

/** Groups the changes so that each document is in a round once: it is in two where its copies are of two types. */
function rounds(changed: readonly MigratedCopy[]): Change[][] {
  const changes = [...Map.groupBy(changed, ({ document }) => document.id.docId).values()].map((ofDocument) =>
    [...Map.groupBy(ofDocument, ({ type }) => type)].map(([type, ofType]) => planMigrated(type, ofType)),
  )
  return [0, 1].map((round) => changes.flatMap((ofDocument) => ofDocument[round] ?? []))
}

function planMigrated(type: Type, changed: readonly MigratedCopy[]): Change {
  const [first] = changed
  if (first === undefined) throw new Error('A document without copies was to be migrated.')
  const { docId, locale } = first.document.id
  const fieldsOf = (mode: Mode): { readonly [mode: string]: JsonObject } => {
    const copy = changed.find(({ document }) => document.id.mode === mode)
    const other = first.copies[mode]
    // A copy: the stored object must not be the one that was read.
    const fields = copy ? { ...copy.fields } : other?.type === first.document.type ? other.fields : undefined
    return fields === undefined ? {} : { [mode]: fields }
  }
  const mode = MODES.find((one) => changed.some(({ document }) => document.id.mode === one))
  return {
    reason: 'migrated',
    type,
    docId,
    locale,
    before: first.copies,
    fields: { ...fieldsOf('draft'), ...fieldsOf('published') },
    takenSlug: 'number',
    history: mode === undefined ? null : { mode },
  }
}
