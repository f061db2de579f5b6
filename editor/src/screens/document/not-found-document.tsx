import type { JsonObject } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { useQuery } from '../../data/query.ts'
import type { DocumentAddress } from '../../data/saving/open-draft.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import { ScreenTitle } from '../parts/screen-title.tsx'

interface NotFoundDocumentProps {
  readonly wanted: DocumentAddress
  readonly error: unknown
  readonly onRetry: () => void
}

interface Results {
  readonly results: readonly JsonObject[]
}

/** A document that could not be read: where it is only not there in this language, this leads to the others. */
export function NotFoundDocument({ wanted, error, onRetry }: NotFoundDocumentProps) {
  const { request, schema, link } = useEditor()
  const { path, docId, locale } = wanted
  const { locales } = schema.value.site
  const labelOf = (name: string) => locales[name]?.label ?? name
  const { data, error: failure } = useQuery([path, 'locales', docId], async (signal) => {
    const { results } = await request<Results>('GET', `${path}/${docId}/locales`, { signal })
    return results.map((one) => ({
      locale: String(one.aposLocale).split(':')[0] ?? '',
      title: String(one.title ?? ''),
    }))
  })
  if (data === undefined && failure === null) return <Skeleton rows={3} />
  const others = (data ?? []).filter((one) => one.locale !== locale)
  if (others.length === 0)
    return (
      <>
        <ScreenTitle title={t.frame.failed} />
        <LoadFailure error={error} onRetry={onRetry} />
        <a href={link('/')}>{t.frame.toHome}</a>
      </>
    )
  const place = wanted.typeName === undefined ? `/pages/${docId}` : `/content/${encodeURIComponent(path)}/${docId}`
  return (
    <>
      <ScreenTitle title={t.document.notInLocale(labelOf(locale))} />
      <p>{t.document.itIsIn}</p>
      <ul>
        {others.map((one) => (
          <li key={one.locale}>
            <a href={link(place, { locale: one.locale })}>{t.document.openIn(one.title, labelOf(one.locale))}</a>
          </li>
        ))}
      </ul>
    </>
  )
}
