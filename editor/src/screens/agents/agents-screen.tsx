import { useLocation } from 'preact-iso'
import { type AgentCall, type AgentCallFilter, readAgentCalls } from '../../data/agent-calls.ts'
import { useEditor } from '../../data/editor.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import { ScreenTitle } from '../parts/screen-title.tsx'
import { useMore } from '../parts/use-more.ts'
import { AgentFilters } from './agent-filters.tsx'
import { CallTable } from './call-table.tsx'
import './agents.css'

/** The calls that agents have made, on which documents, and how they ended. */
export function AgentsScreen() {
  const editor = useEditor()
  const filter = filterIn(useLocation().query)
  const { answered, showMore } = useMore<AgentCall>('agents', JSON.stringify(filter), (before, signal) =>
    readAgentCalls(editor, filter, { before, signal }),
  )
  const { data, error, retry } = answered
  const isNarrowed = filter.keyId !== '' || filter.isFailedOnly
  return (
    <>
      <ScreenTitle title={t.agents.title} />
      <p class="q-agents-about">{t.agents.about}</p>
      <AgentFilters
        filter={filter}
        rows={data?.rows ?? []}
        onChange={(next) => editor.go('/agents', { query: queryOf(next), isReplacing: true })}
      />
      {error !== null && <LoadFailure error={error} onRetry={retry} />}
      {data === undefined && error === null && <Skeleton rows={8} />}
      {data?.rows.length === 0 && <p>{isNarrowed ? t.agents.nothingMatches : t.agents.nothing}</p>}
      {data && data.rows.length > 0 && <CallTable rows={data.rows} />}
      {data?.hasMore && <Button onPress={showMore}>{t.agents.more}</Button>}
    </>
  )
}

function filterIn(query: Readonly<Record<string, string>>): AgentCallFilter {
  return { keyId: query.key ?? '', isFailedOnly: query.failed === '1' }
}

function queryOf({ keyId, isFailedOnly }: AgentCallFilter): Record<string, string> {
  return { ...(keyId !== '' && { key: keyId }), ...(isFailedOnly && { failed: '1' }) }
}
