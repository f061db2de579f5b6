import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { useEditor } from '../../data/editor.ts'
import { type RecentFilter, readRecentChanges } from '../../data/recent-changes.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import { ScreenTitle } from '../parts/screen-title.tsx'
import { useMore } from '../parts/use-more.ts'
import { ActivityFilters } from './activity-filters.tsx'
import { ActivityItem } from './activity-item.tsx'
import './activity.css'

const NARROWED = ['person', 'type', 'ai']

/** The latest changes of all documents: by whom, of which type, with or without AI. */
export function ActivityScreen() {
  const editor = useEditor()
  const { query } = useLocation()
  const open = useSignal<string | null>(null)
  const filter = filterIn(query)
  const { answered, showMore } = useMore('documents', JSON.stringify(filter), (before, signal) =>
    readRecentChanges(editor, filter, { before, signal }),
  )
  const { data, error, retry } = answered
  return (
    <>
      <ScreenTitle title={t.activity.title} />
      <ActivityFilters
        filter={filter}
        rows={data?.rows ?? []}
        onChange={(next) => editor.go('/activity', { query: queryOf(next), isReplacing: true })}
      />
      {error !== null && <LoadFailure error={error} onRetry={retry} />}
      {data === undefined && error === null && <Skeleton rows={8} />}
      {data?.rows.length === 0 && (
        <p>{NARROWED.some((name) => query[name]) ? t.activity.nothingMatches : t.activity.nothing}</p>
      )}
      <ol class="q-activity" aria-label={t.activity.title}>
        {data?.rows.map((row) => (
          <ActivityItem
            key={row._id}
            row={row}
            isOpen={open.value === row._id}
            onToggle={() => {
              open.value = open.peek() === row._id ? null : row._id
            }}
          />
        ))}
      </ol>
      {data?.hasMore && <Button onPress={showMore}>{t.activity.more}</Button>}
    </>
  )
}

function filterIn(query: Readonly<Record<string, string>>): RecentFilter {
  return { authorId: query.person ?? '', type: query.type ?? '', isAiOnly: query.ai === '1' }
}

function queryOf({ authorId, type, isAiOnly }: RecentFilter): Record<string, string> {
  return {
    ...(authorId !== '' && { person: authorId }),
    ...(type !== '' && { type }),
    ...(isAiOnly && { ai: '1' }),
  }
}
