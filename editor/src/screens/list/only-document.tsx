import { useEffect } from 'preact/hooks'
import type { JsonObject, TypeInfo } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { useQuery } from '../../data/query.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { documentPath } from '../parts/document-path.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import { ScreenTitle } from '../parts/screen-title.tsx'

interface OnlyDocumentProps {
  readonly name: string
  readonly type: TypeInfo
}

/** Leads to the one document of a type that has no more. */
export function OnlyDocument({ name, type }: OnlyDocumentProps) {
  const { request, locale, go } = useEditor()
  const found = useQuery([name, 'only', locale.value], (signal) =>
    request<{ results: readonly JsonObject[] }>('GET', name, {
      query: { perPage: 1, project: { _id: 1 } },
      mode: type.localized ? 'draft' : 'published',
      locale: locale.value,
      signal,
    }),
  )
  const id = found.data?.results[0]?._id
  useEffect(() => {
    const [docId = ''] = String(id ?? '').split(':')
    if (docId !== '') go(documentPath(name, type, docId), { isReplacing: true })
  }, [id])
  return (
    <>
      <ScreenTitle title={type.label} />
      {found.error === null ? <Skeleton rows={8} /> : <LoadFailure error={found.error} onRetry={found.retry} />}
    </>
  )
}
