import type { ChangeRow, JsonObject, Schema } from 'quire-client'
import { failureOf } from '../../data/failure.ts'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import { putEarlier } from '../../model/earlier.ts'
import { alarm } from '../../ui/live.tsx'
import { note } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { placeOf } from '../parts/changes/change-item.tsx'

/** Puts one change back in the form, as a change that can be undone and is saved like any other. */
export async function putBack(draft: OpenDraft, row: ChangeRow, earlier: () => Promise<JsonObject>): Promise<void> {
  const { document } = draft
  try {
    const was = await earlier()
    const { value: before } = document.revision
    const path = row.path.map(({ name }) => name)
    if (!putEarlier(document, was, path)) return refuse(t.changes.noPlace)
    if (document.revision.value === before) return note(t.changes.wasSo(placeOf(row)))
    note(t.changes.isBack(placeOf(row)), { label: t.document.undo, run: () => document.undo() })
  } catch (error) {
    refuse(failureOf(error).message)
  }
}

function refuse(text: string): void {
  note(text)
  alarm(text)
}

/** Why a change cannot be put back; null where it can. */
export function whyNot(
  { document, type }: OpenDraft,
  widgets: Schema['widgets'],
  { path, kind, type: change, ...row }: ChangeRow,
): string | null {
  if (type.denied.editDraft !== undefined) return t.roles.reason(type.denied.editDraft)
  const node = document.root.children.get(path[0]?.name ?? '')
  if (node === undefined) return t.changes.noPlace
  if (node.isLocked) return t.changes.mayNot
  // A value that its field does not take any more is shown as text alone (§2.5).
  if (change !== 'added' && row.old === undefined) return t.changes.notAccepted
  const widget = path.at(-1)?.widgetType
  if (kind === 'widget' && change === 'deleted' && widget !== undefined && widgets[widget] === undefined)
    return t.changes.notAccepted
  return null
}
