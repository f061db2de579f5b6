import { useEffect, useMemo } from 'preact/hooks'
import type { JsonObject } from 'quire-client'
import { newId } from '../../../base/ids.ts'
import { useEditor } from '../../../data/editor.ts'
import { requestPath } from '../../../data/locales.ts'
import { useQuery } from '../../../data/query.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { wordsOfLeaf } from '../../../fields/lists/summary.ts'
import { differencesOf } from '../../../model/differences.ts'
import { openDocument } from '../../../model/tree.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { t } from '../../../words/words.ts'
import { LoadFailure } from '../../parts/load-failure.tsx'
import { When } from '../../parts/when.tsx'
import type { LocaleState } from './use-locale-states.ts'

interface OverwrittenProps {
  readonly draft: OpenDraft
  readonly state: LocaleState
  /** Called when the copy that was saved at this time is shown. */
  readonly onShown: (updatedAt: string) => void
}

/** The fields that a copy would overwrite in a locale, as they are there, and as they would be. */
export function Overwritten({ draft, state: { locale, copy }, onShown }: OverwrittenProps) {
  const editor = useEditor()
  const { schema, request } = editor
  const { data, error, isRenewed, retry } = useQuery(
    [draft.typeName, 'overwritten', requestPath(draft, editor), locale],
    (signal) =>
      request<JsonObject>('GET', requestPath(draft, editor), {
        locale,
        mode: 'draft',
        signal,
        query: { archived: 'any' },
      }),
  )
  const shownAt = data === undefined || isRenewed ? null : String(data.updatedAt)
  useEffect(() => {
    if (shownAt !== null) onShown(shownAt)
  }, [shownAt])
  const differences = useMemo(() => {
    if (data === undefined) return []
    const there = openDocument(schema.value, draft.typeName, data, { newId, now: Date.now })
    return differencesOf(there.root, draft.document.root)
  }, [data, schema.value, draft])
  if (error !== null) return <LoadFailure error={error} onRetry={retry} />
  if (data === undefined) return <Skeleton rows={2} />
  if (differences.length === 0) return <p>{t.locales.sameThere}</p>
  return (
    <>
      <p>
        {t.locales.overwrites} <When time={copy?.updatedAt ?? ''} />:
      </p>
      <ul class="q-differences">
        {differences.map(({ one, other }) => (
          <li key={(one ?? other)?.path.join('.')}>
            {(one ?? other)?.field.label}: <del>{one && wordsOfLeaf(one)}</del> <ins>{other && wordsOfLeaf(other)}</ins>
          </li>
        ))}
      </ul>
    </>
  )
}
