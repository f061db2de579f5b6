import type { JsonObject, Reason, TypeInfo } from 'quire-client'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { t } from '../../words/words.ts'
import type { PublishingActions, ScheduleTimes } from './use-publishing.ts'

/** Further actions on a document; one that is off says why. */
export function moreActions(
  { type, latest }: OpenDraft,
  { change, schedule }: PublishingActions,
  dialogs: {
    /** Asks for a name of the present version. */
    readonly onName: () => void
    /** Asks when it goes live, and into the archive. */
    readonly onSchedule: () => void
    /** Archives it, and asks first where it is used. */
    readonly onArchive: () => void
    /** Shows what uses it. */
    readonly onWhere: () => void
  },
): readonly MenuItem[] {
  const document = latest.value ?? {}
  const { publish, archive, editDraft } = type.denied
  const isPublished = Boolean(document.lastPublishedAt)
  const isArchived = document.archived === true
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
        onChoose: dialogs.onArchive,
        offBecause: off(archive, document.parkedId === undefined ? null : t.tree.lockedPlace),
        isDangerous: true,
      }
  const naming: MenuItem = { label: t.history.name, onChoose: dialogs.onName, offBecause: off(editDraft, null) }
  const times = type.scheduling
    ? scheduleItems(type, document, {
        onSchedule: dialogs.onSchedule,
        cancel: (times) => void schedule(times, t.schedules.cancelled),
      })
    : []
  const where: MenuItem = { label: t.uses.where, onChoose: dialogs.onWhere }
  return [
    ...(type.versions ? [naming] : []),
    ...times,
    ...(type.localized ? liveItems : []),
    ...(type.singleton ? [] : [where, archiving]),
  ]
}

interface ScheduleActions {
  readonly onSchedule: () => void
  readonly cancel: (times: ScheduleTimes) => void
}

/** To set the times of a document, and to cancel them, where some are set. */
function scheduleItems({ denied, singleton }: TypeInfo, document: JsonObject, actions: ScheduleActions): MenuItem[] {
  const { publishAt, archiveAt } = document
  const isScheduled = Boolean(publishAt || archiveAt)
  const set: MenuItem = {
    label: isScheduled ? t.schedules.change : t.schedules.schedule,
    onChoose: actions.onSchedule,
    offBecause: off(
      denied.archive === undefined && !singleton ? undefined : denied.publish,
      document.archived === true ? t.publishing.archivedFirst : null,
    ),
  }
  if (!isScheduled) return [set]
  const cancel: MenuItem = {
    label: t.schedules.cancel,
    onChoose: () => actions.cancel({ ...(publishAt && { publishAt: null }), ...(archiveAt && { archiveAt: null }) }),
    offBecause: off((publishAt ? denied.publish : undefined) ?? (archiveAt ? denied.archive : undefined), null),
  }
  return [set, cancel]
}

function off(reason: Reason | undefined, other: string | null): string | null {
  return reason ? t.roles.reason(reason) : other
}
