import { useEffect } from 'preact/hooks'
import type { ChangeRow, Changes } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import type { OpenDraft } from '../../data/open-draft.ts'
import { useQuery } from '../../data/query.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { LoadFailure } from '../parts/load-failure.tsx'

interface ChangesDialogProps {
  readonly draft: OpenDraft
  readonly onClose: () => void
}

/** What the draft has other than what is published, word by word. */
export function ChangesDialog({ draft, onClose }: ChangesDialogProps) {
  const { request, locale, place } = useEditor()
  const { type, typeName, saver, latest } = draft
  const path = type.family === 'page' ? `${place.namespace}/page` : typeName
  useEffect(() => void saver.flush(), [saver])
  const changes = useQuery([typeName, 'changes', latest.value?._id, latest.value?.updatedAt], (signal) =>
    request<Changes>('GET', `${path}/${saver.place.value.docId}/changes`, {
      locale: locale.value,
      mode: 'draft',
      signal,
    }),
  )
  return (
    <Dialog title={t.publishing.changes} size="large" onClose={onClose}>
      {changes.error !== null && <LoadFailure error={changes.error} onRetry={changes.retry} />}
      {changes.data === undefined && changes.error === null && <Skeleton rows={4} />}
      {changes.data?.compared === false && <p>{t.publishing.neverPublished}</p>}
      {changes.data?.compared && changes.data.rows.length === 0 && <p>{t.publishing.noChanges}</p>}
      <ol class="q-changes">
        {changes.data?.rows.map((row) => (
          <Change key={row.path.map(({ name }) => name).join('.') + row.type} row={row} />
        ))}
      </ol>
    </Dialog>
  )
}

function Change({ row }: { readonly row: ChangeRow }) {
  return (
    <li class="q-change">
      <div class="q-change-head">
        <strong>{row.path.map(stepWords).join(' › ')}</strong>
        <span>{t.publishing[row.type]}</span>
        {row.ai !== false && <span>✦ {row.ai === 'changed' ? t.publishing.ai : t.publishing.assisted}</span>}
      </div>
      <div class="q-change-text">
        <Difference row={row} />
        {row.formatChanges?.map((change) => (
          <p key={`${change.label} ${change.text}`}>
            {change.label}: {change.text}
          </p>
        ))}
      </div>
    </li>
  )
}

function stepWords({ label, ordinal, title }: ChangeRow['path'][number]): string {
  return [label, ordinal, title && `“${title}”`].filter(Boolean).join(' ')
}

/** The words of both sides, removed and added ones marked. */
export function Difference({ row }: { readonly row: ChangeRow }) {
  if (row.diff)
    return (
      <p>
        {row.diff.map(({ text, change }, index) => (
          <Piece key={`${index} ${change}`} text={text} change={change} />
        ))}
      </p>
    )
  return (
    <p>
      {row.oldText !== '' && <Piece text={row.oldText} change="removed" />}{' '}
      {row.newText !== '' && <Piece text={row.newText} change="added" />}
    </p>
  )
}

function Piece({ text, change }: { readonly text: string; readonly change: 'same' | 'added' | 'removed' }) {
  if (change === 'same') return <span>{text}</span>
  if (change === 'added')
    return (
      <ins>
        <span class="q-hidden">{t.publishing.insertion}</span>
        {text}
      </ins>
    )
  return (
    <del>
      <span class="q-hidden">{t.publishing.deletion}</span>
      {text}
    </del>
  )
}
