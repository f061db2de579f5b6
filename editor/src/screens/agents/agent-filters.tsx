import { useRef } from 'preact/hooks'
import type { AgentCall, AgentCallFilter } from '../../data/agent-calls.ts'
import { Choice } from '../../ui/choice.tsx'
import { Tick } from '../../ui/tick.tsx'
import { t } from '../../words/words.ts'

interface AgentFiltersProps {
  readonly filter: AgentCallFilter
  /** The shown calls: keys that they name can be chosen. */
  readonly rows: readonly AgentCall[]
  readonly onChange: (filter: AgentCallFilter) => void
}

/** Of which key calls are shown, and whether only those that failed. */
export function AgentFilters({ filter, rows, onChange }: AgentFiltersProps) {
  const seen = useRef(new Map<string, string>())
  for (const { keyId, key } of rows) seen.current.set(keyId, key)
  const unseen = filter.keyId === '' || seen.current.has(filter.keyId) ? [] : [[filter.keyId, filter.keyId] as const]
  const keys = [...seen.current, ...unseen].map(([value, label]) => ({ value, label }))
  return (
    <div class="q-agents-filters">
      <Choice
        label={t.agents.key}
        chosen={filter.keyId}
        choices={[{ value: '', label: t.agents.allKeys }, ...keys]}
        onChoose={(keyId) => onChange({ ...filter, keyId })}
      />
      <Tick
        type="checkbox"
        label={t.agents.failedOnly}
        checked={filter.isFailedOnly}
        onChange={(event) => onChange({ ...filter, isFailedOnly: event.currentTarget.checked })}
      />
    </div>
  )
}
