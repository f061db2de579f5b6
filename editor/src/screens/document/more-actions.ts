import type { Reason } from 'quire-client'
import type { OpenDraft } from '../../data/open-draft.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { t } from '../../words/words.ts'
import type { PublishingActions } from './use-publishing.ts'

/** What else can be done with a document; what cannot says why. */
export function moreActions(
  { type, latest }: OpenDraft,
  { change }: PublishingActions,
  onName: () => void,
): readonly MenuItem[] {
  const document = latest.value ?? {}
  const { publish, archive, editDraft } = type.denied
  const isPublished = Boolean(document.lastPublishedAt)
  const isArchived = document.archived === true
  const off = (reason: Reason | undefined, other: string | null) => (reason ? t.roles.reason(reason) : other)
  const liveItems: readonly MenuItem[] = [
    {
      label: t.publishing.revert,
      onChoose: () => void change('revert-draft-to-published', t.publishing.reverted),
      offBecause: off(
        editDraft,
        isPublished ? (document.modified === true ? null : t.publishing.noChanges) : t.publishing.notPublished,
      ),
    },
    {
      label: t.publishing.undoPublish,
      onChoose: () => void change('revert-published-to-previous', t.publishing.undone),
      offBecause: off(publish, isPublished ? null : t.publishing.notPublished),
    },
    {
      label: t.publishing.unpublish,
      onChoose: () => void change('unpublish', t.publishing.unpublished),
      offBecause: off(publish, isPublished ? null : t.publishing.notPublished),
    },
  ]
  const archiving: MenuItem = isArchived
    ? {
        label: t.publishing.restore,
        onChoose: () => void change('restore', t.publishing.restored),
        offBecause: off(archive, null),
      }
    : {
        label: t.publishing.archive,
        onChoose: () => void change('archive', t.publishing.archivedNow),
        offBecause: off(archive, document.parkedId === undefined ? null : t.tree.lockedPlace),
        isDangerous: true,
      }
  const naming: MenuItem = { label: t.history.name, onChoose: onName, offBecause: off(editDraft, null) }
  return [
    ...(type.versions ? [naming] : []),
    ...(type.localized ? liveItems : []),
    ...(type.singleton ? [] : [archiving]),
  ]
}
