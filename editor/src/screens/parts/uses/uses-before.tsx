import { useEditor } from '../../../data/editor.ts'
import { useQuery } from '../../../data/query.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { t } from '../../../words/words.ts'
import { LoadFailure } from '../load-failure.tsx'
import { readUses, type UseSubject } from './uses.ts'
import { UsesList } from './uses-list.tsx'

const FIRST = 5

/** Says, before a document is deleted, how many use it, and which first; nothing where none does. */
export function UsesBefore({ of }: { readonly of: UseSubject }) {
  const editor = useEditor()
  const found = useQuery(['documents', 'uses', editor.locale.value, of.path, of.docId, FIRST], (signal) =>
    readUses(editor, of, { perPage: FIRST, signal }),
  )
  if (found.error !== null) return <LoadFailure error={found.error} onRetry={found.retry} />
  if (found.data === undefined) return <Skeleton rows={2} />
  if (found.data.total === 0) return null
  return (
    <>
      <p>{t.uses.usedBy(of.title, found.data.total)}</p>
      <UsesList uses={found.data} />
    </>
  )
}
