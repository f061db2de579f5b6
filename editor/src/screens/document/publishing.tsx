import { useSignal } from '@preact/signals'
import type { ChangeRow } from 'quire-client'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import type { Path } from '../../model/form.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { t } from '../../words/words.ts'
import { later } from '../parts/later.tsx'
import { Archiving, useArchiving } from '../parts/uses/archiving.tsx'
import { AlongDialog } from './along-dialog.tsx'
import { ChangesDialog } from './changes-dialog.tsx'
import { moreActions } from './more-actions.ts'
import { ScheduleStanding } from './standing/schedule-standing.tsx'
import { Standing } from './standing/standing.tsx'
import { UntouchedDialog } from './untouched-dialog.tsx'
import { type Check, usePublishing } from './use-publishing.ts'

const WhereDialog = later(async () => (await import('../parts/uses/where-dialog.tsx')).WhereDialog)
const ScheduleDialog = later(async () => (await import('./schedule-dialog.tsx')).ScheduleDialog)

interface PublishingProps {
  readonly draft: OpenDraft
  /** Publishing is refused: the path of the first problem. */
  readonly onProblems: (path: Path) => void
  /** Called to name the present state. */
  readonly onName: () => void
}

/** How the document stands, and what can be done about it. */
export function Publishing({ draft, onProblems, onName }: PublishingProps) {
  const { type, latest, savesItself, saver } = draft
  const isComparing = useSignal(false)
  const byAi = useSignal<readonly ChangeRow[] | null>(null)
  const isScheduling = useSignal(false)
  const along = useSignal<Check | null>(null)
  const isAskedWhere = useSignal(false)
  const archiving = useArchiving()
  const actions = usePublishing(draft, {
    onProblems,
    onAi: (rows) => {
      byAi.value = rows
    },
    onAlong: (check) => {
      along.value = check
    },
  })
  const document = latest.value
  const onSchedule = () => {
    isScheduling.value = true
  }
  const title = String(document?.title || t.list.untitled)
  const asked = { path: actions.path, docId: String(document?.aposDocId), title }
  const onArchive = () =>
    void archiving.archive([asked], () => void actions.change('archive', t.publishing.archivedNow))
  const onWhere = () => {
    isAskedWhere.value = true
  }
  return (
    <section class="q-publishing" aria-label={t.publishing.title}>
      {document !== null && type.localized && <Standing draft={draft} />}
      {document !== null && type.scheduling && <ScheduleStanding document={document} />}
      {document !== null && type.localized && (
        <Button
          onPress={() => {
            isComparing.value = true
          }}
        >
          {t.publishing.seeChanges}
        </Button>
      )}
      {savesItself ? (
        <Button kind="primary" onPress={() => void actions.publish()} offBecause={offBecause(draft)}>
          {t.publishing.publish}
        </Button>
      ) : (
        <Button kind="primary" onPress={() => void saver.flush({ isVersion: true })}>
          {t.document.save}
        </Button>
      )}
      {document !== null && (
        <Menu
          label={t.publishing.more}
          items={moreActions(draft, actions, { onName, onSchedule, onArchive, onWhere })}
        />
      )}
      {document !== null && isScheduling.value && (
        <ScheduleDialog
          type={type}
          document={document}
          onSchedule={actions.schedule}
          onClose={() => {
            isScheduling.value = false
          }}
        />
      )}
      <Archiving asking={archiving.asking} />
      {isAskedWhere.value && (
        <WhereDialog
          of={asked}
          onClose={() => {
            isAskedWhere.value = false
          }}
        />
      )}
      {isComparing.value && (
        <ChangesDialog
          draft={draft}
          onClose={() => {
            isComparing.value = false
          }}
        />
      )}
      {byAi.value && (
        <UntouchedDialog
          rows={byAi.value}
          onClose={() => {
            byAi.value = null
          }}
          onPublish={() => {
            byAi.value = null
            void actions.publish({ isAiTold: true })
          }}
        />
      )}
      {along.value && (
        <AlongDialog
          check={along.value}
          onClose={() => {
            along.value = null
          }}
          onPublish={(ids) => {
            const { unpublishedAncestors = [] } = along.value ?? {}
            along.value = null
            void actions.publishWith(ids, unpublishedAncestors)
          }}
        />
      )}
    </section>
  )
}

/** Why publishing is off; null where it is not. */
function offBecause({ type, latest, document }: OpenDraft): string | null {
  const { publish } = type.denied
  if (publish !== undefined) return publish.needs === 'editor' ? t.publishing.editorsPublish : t.roles.reason(publish)
  const { value: stored } = latest
  if (stored === null) return document.revision.value === 0 ? t.publishing.notMade : null
  if (stored.archived === true) return t.publishing.archivedFirst
  if (document.conflicts.value.length > 0) return t.publishing.undecided
  const isChanged = stored.modified === true || !stored.lastPublishedAt || document.unsaved().length > 0
  return isChanged || document.revision.value === -1 ? null : t.publishing.nothingToPublish
}
