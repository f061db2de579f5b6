import { useRef } from 'preact/hooks'
import type { Version } from 'quire-client'
import type { VersionFilter } from '../../../data/version-requests.ts'
import { Choice } from '../../../ui/choice.tsx'
import { t } from '../../../words/words.ts'

interface HistoryFiltersProps {
  readonly filter: VersionFilter
  /** The shown versions: people whom they name can be chosen. */
  readonly versions: readonly Version[]
  readonly caller: { readonly _id: string; readonly title: string }
  readonly onChange: (filter: VersionFilter) => void
}

/** Which versions are shown: all, published, named or with AI, and whose. */
export function HistoryFilters({ filter, versions, caller, onChange }: HistoryFiltersProps) {
  const people = useRef(new Map([[caller._id, caller.title]]))
  for (const { authorId, author } of versions) if (authorId !== null) people.current.set(authorId, author)
  const kinds = [
    { value: 'all', label: t.history.all },
    { value: 'published', label: t.history.published },
    { value: 'named', label: t.history.named },
    { value: 'ai', label: t.history.withAi },
  ] as const
  const authors = [...people.current].map(([value, label]) => ({ value, label }))
  return (
    <div class="q-history-filters">
      <Choice
        label={t.history.only}
        chosen={filter.only}
        choices={kinds}
        onChoose={(value) => onChange({ ...filter, only: kinds.find((kind) => kind.value === value)?.value ?? 'all' })}
      />
      <Choice
        label={t.history.people}
        chosen={filter.authorId}
        choices={[{ value: '', label: t.history.everybody }, ...authors]}
        onChoose={(authorId) => onChange({ ...filter, authorId })}
      />
    </div>
  )
}
