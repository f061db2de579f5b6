import { useSignal } from '@preact/signals'
import type { ChangeRow, Version } from 'quire-client'
import { languageOf, timesIn } from '../../../base/times.ts'
import { useEditor } from '../../../data/editor.ts'
import { useQuery } from '../../../data/query.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { readChanges, readVersion } from '../../../data/version-requests.ts'
import { Choice } from '../../../ui/choice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { t } from '../../../words/words.ts'
import { ChangeList } from '../../parts/changes/change-list.tsx'
import { LoadFailure } from '../../parts/load-failure.tsx'
import { PutBackButton } from '../put-back-button.tsx'
import { VersionActions } from './version-actions.tsx'

interface VersionDetailsProps {
  readonly version: Version
  readonly draft: OpenDraft
  readonly others: readonly Version[]
}

/** The changes of a version, or its differences from another one, with its actions. */
export function VersionDetails({ version, draft, others }: VersionDetailsProps) {
  const editor = useEditor()
  const otherId = useSignal('')
  const { newer, against } = sidesOf(version, others, otherId.value)
  const { data, error, retry } = useQuery([draft.typeName, 'version', newer._id, newer.updatedAt, against], (signal) =>
    readChanges(editor, newer._id, { against, signal }),
  )
  const olderId = against ?? data?.olderId
  const putBack = (row: ChangeRow) =>
    olderId !== undefined && <PutBackButton draft={draft} row={row} earlier={() => readVersion(editor, olderId)} />
  return (
    <>
      <Choice
        label={t.history.compareWith}
        chosen={otherId.value}
        choices={choicesOf(version, others)}
        onChoose={(id) => {
          otherId.value = id
        }}
      />
      {error !== null && <LoadFailure error={error} onRetry={retry} />}
      {data === undefined && error === null && <Skeleton rows={3} />}
      {data?.compared === false && <p>{t.history.nothingBefore}</p>}
      {data?.compared && data.rows.length === 0 && <p>{t.changes.none}</p>}
      {data && data.rows.length > 0 && <ChangeList rows={data.rows} actions={putBack} />}
      <VersionActions version={version} draft={draft} name={nameOf(version)} />
    </>
  )
}

/** The older one of two versions is the side that the other is compared with; null for what came before. */
function sidesOf(version: Version, others: readonly Version[], otherId: string) {
  const other = others.find(({ _id }) => _id === otherId)
  if (other === undefined) return { newer: version, against: null }
  const isNewer = others.indexOf(other) < others.findIndex(({ _id }) => _id === version._id)
  return isNewer ? { newer: other, against: version._id } : { newer: version, against: other._id }
}

const times = timesIn(languageOf(navigator.languages))

function choicesOf(version: Version, others: readonly Version[]) {
  const named = others.filter(({ _id }) => _id !== version._id).map((one) => ({ value: one._id, label: nameOf(one) }))
  return [{ value: '', label: t.history.versionBefore }, ...named]
}

/** The name of a version where there is one line for it. */
export function nameOf({ live, label, createdAt, updatedAt, author }: Version): string {
  const when = live ? t.history.now : times.full(updatedAt ?? createdAt)
  return t.history.versionOf(label === undefined ? when : `“${label}”, ${when}`, author)
}
