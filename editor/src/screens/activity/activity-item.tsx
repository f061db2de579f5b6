import { useEditor } from '../../data/editor.ts'
import { useQuery } from '../../data/query.ts'
import type { RecentChange } from '../../data/recent-changes.ts'
import { readChanges } from '../../data/version-requests.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { ChangeList } from '../parts/changes/change-list.tsx'
import { VersionKind } from '../parts/changes/version-kind.tsx'
import { documentPath } from '../parts/document-path.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import { When } from '../parts/when.tsx'

interface ActivityItemProps {
  readonly row: RecentChange
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** One save of a document; it opens to what was changed. */
export function ActivityItem({ row, isOpen, onToggle }: ActivityItemProps) {
  const { schema, link } = useEditor()
  const { docId, title, createdAt, updatedAt, author, locale } = row
  const type = schema.value.types[row.type]
  const name = title || t.list.untitled
  const query = { side: 'history', ...(locale !== null && { locale }) }
  return (
    <li class="q-activity-item">
      <div class="q-activity-line">
        <When time={updatedAt ?? createdAt} /> <span>{author || t.history.service}</span>
        {type ? <a href={link(documentPath(row.type, type, docId.split(':')[0] ?? ''), query)}>{name}</a> : name}
        <span>{type?.label ?? row.type}</span>
        {locale !== null && <span>{schema.value.site.locales[locale]?.label ?? locale}</span>}
        <VersionKind version={row} />
      </div>
      <Disclosure label={t.activity.changesOf(name)} isOpen={isOpen} onToggle={onToggle}>
        {() => <WhatChanged version={row} />}
      </Disclosure>
    </li>
  )
}

function WhatChanged({ version: { _id, updatedAt } }: { readonly version: RecentChange }) {
  const editor = useEditor()
  const { data, error, retry } = useQuery(['documents', 'version', _id, updatedAt], (signal) =>
    readChanges(editor, _id, { against: null, signal }),
  )
  if (error !== null) return <LoadFailure error={error} onRetry={retry} />
  if (data === undefined) return <Skeleton rows={3} />
  if (!data.compared) return <p>{t.history.nothingBefore}</p>
  return data.rows.length === 0 ? <p>{t.changes.none}</p> : <ChangeList rows={data.rows} />
}
