import { useRef } from 'preact/hooks'
import { useEditor } from '../../data/editor.ts'
import type { RecentChange, RecentFilter } from '../../data/recent-changes.ts'
import { Choice } from '../../ui/choice.tsx'
import { Tick } from '../../ui/tick.tsx'
import { t } from '../../words/words.ts'

interface ActivityFiltersProps {
  readonly filter: RecentFilter
  /** The shown changes: people whom they name can be chosen. */
  readonly rows: readonly RecentChange[]
  readonly onChange: (filter: RecentFilter) => void
}

/** Whose changes are shown, of which type, and whether only those with AI. */
export function ActivityFilters({ filter, rows, onChange }: ActivityFiltersProps) {
  const { caller, types } = useEditor().schema.value
  const people = useRef(new Map([[caller._id, caller.title]]))
  for (const { authorId, author } of rows) if (authorId !== null) people.current.set(authorId, author)
  const editable = Object.entries(types).filter(([, type]) => type.versions && type.denied.editDraft === undefined)
  const authors = [...people.current].map(([value, label]) => ({ value, label }))
  const kinds = editable.map(([value, { label }]) => ({ value, label }))
  return (
    <div class="q-activity-filters">
      <Choice
        label={t.activity.person}
        chosen={filter.authorId}
        choices={[{ value: '', label: t.history.everybody }, ...authors]}
        onChoose={(authorId) => onChange({ ...filter, authorId })}
      />
      <Choice
        label={t.activity.type}
        chosen={filter.type}
        choices={[{ value: '', label: t.activity.allTypes }, ...kinds]}
        onChoose={(type) => onChange({ ...filter, type })}
      />
      <Tick
        type="checkbox"
        label={
          <>
            <span aria-hidden="true">✦</span> {t.activity.aiOnly}
          </>
        }
        checked={filter.isAiOnly}
        onChange={(event) => onChange({ ...filter, isAiOnly: event.currentTarget.checked })}
      />
    </div>
  )
}
