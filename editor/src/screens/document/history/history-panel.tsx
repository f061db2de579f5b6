import { useSignal } from '@preact/signals'
import { X } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { useEditor } from '../../../data/editor.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { readVersions, type VersionFilter } from '../../../data/version-requests.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { t } from '../../../words/words.ts'
import { LoadFailure } from '../../parts/load-failure.tsx'
import { useMore } from '../../parts/use-more.ts'
import { HistoryFilters } from './history-filters.tsx'
import { VersionItem } from './version-item.tsx'
import './history.css'

interface HistoryPanelProps {
  readonly draft: OpenDraft
  readonly onClose: () => void
}

/** The versions of a document, newest first; each opens to what it changed. */
export function HistoryPanel({ draft, onClose }: HistoryPanelProps) {
  const editor = useEditor()
  const filter = useSignal<VersionFilter>({ only: 'all', authorId: '' })
  const { docId } = draft.saver.place.value
  const { updatedAt = '', lastPublishedAt = '' } = draft.latest.value ?? {}
  const of = JSON.stringify([docId, updatedAt, lastPublishedAt, filter.value])
  const { answered, showMore } = useMore(draft.typeName, of, (before, signal) =>
    readVersions(editor, docId, filter.peek(), { before, signal }),
  )
  const open = useSignal<string | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => void draft.saver.flush(), [draft])
  useEffect(() => heading.current?.focus(), [])
  const { data, error, retry } = answered
  const isNarrowed = filter.value.only !== 'all' || filter.value.authorId !== ''
  return (
    <aside class="q-history" aria-label={t.history.title}>
      <header class="q-history-head">
        <h2 ref={heading} tabIndex={-1}>
          {t.history.title}
        </h2>
        <Button kind="quiet" label={t.history.hide} onPress={onClose}>
          <Icon of={X} />
        </Button>
      </header>
      <HistoryFilters
        filter={filter.value}
        versions={data?.rows ?? []}
        caller={editor.schema.value.caller}
        onChange={(next) => {
          filter.value = next
        }}
      />
      {error !== null && <LoadFailure error={error} onRetry={retry} />}
      {data === undefined && error === null && <Skeleton rows={6} />}
      {data?.rows.length === 0 && <p>{isNarrowed ? t.history.nothingMatches : t.history.nothing}</p>}
      <ol class="q-versions" aria-label={t.history.list}>
        {data?.rows.map((version) => (
          <VersionItem
            key={version._id}
            version={version}
            draft={draft}
            others={data.rows}
            isOpen={open.value === version._id}
            onToggle={() => {
              open.value = open.peek() === version._id ? null : version._id
            }}
          />
        ))}
      </ol>
      {data?.hasMore && <Button onPress={showMore}>{t.history.more}</Button>}
    </aside>
  )
}
