import { useSignal } from '@preact/signals'
import type { JsonObject } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { failureOf } from '../../data/failure.ts'
import { useQuery } from '../../data/query.ts'
import { findRelated, type RelatedRow } from '../../data/related.ts'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import { draftAddress } from '../../model/draft-address.ts'
import { Combobox } from '../../ui/combobox.tsx'
import { Failure } from '../../ui/failure.tsx'
import { t } from '../../words/words.ts'
import { StylesFrame } from './styles-frame.tsx'

const SUGGESTIONS = 8

/** The home page, or another page that is chosen, with the styles of a draft. */
export function StylesPreview({ draft }: { readonly draft: OpenDraft }) {
  const { request, locale, place, schema } = useEditor()
  const chosen = useSignal<RelatedRow | null>(null)
  const home = useQuery([`${place.namespace}/home-page`, 'address', locale.value], (signal) =>
    request<JsonObject>('GET', `${place.namespace}/page/_home`, {
      query: { project: { _url: 1, title: 1 } },
      mode: 'draft',
      locale: locale.value,
      signal,
    }),
  )
  const page = chosen.value ?? home.data
  const here = { here: globalThis.location.origin, frontends: schema.value.editor?.frontends ?? [] }
  const url = draftAddress(page?._url, here, locale.value)
  return (
    <aside class="q-preview" aria-label={t.styles.page}>
      <PageChooser
        onChoose={(row) => {
          chosen.value = row
        }}
      />
      {home.error !== null && <Failure message={failureOf(home.error).message} onRetry={home.retry} />}
      {page && url === null && <p>{t.styles.noPage}</p>}
      {page && url && <StylesFrame key={url} draft={draft} url={url} />}
    </aside>
  )
}

/** Finds a document that has a page. */
function PageChooser({ onChoose }: { readonly onChoose: (row: RelatedRow) => void }) {
  const editor = useEditor()
  const found = useSignal<readonly RelatedRow[]>([])
  const types = Object.entries(editor.schema.value.types).flatMap(([name, { hasUrl, denied }]) =>
    hasUrl && !denied.view ? [name] : [],
  )
  return (
    <Combobox
      label={t.styles.choosePage}
      placeholder={t.styles.choosePage}
      find={async (words, signal) => {
        const { results } = await findRelated(editor, types, { words, perPage: SUGGESTIONS, signal })
        found.value = results.filter(({ _url }) => _url)
        return found.peek().map(({ aposDocId, title, type }) => ({
          id: aposDocId,
          label: title,
          detail: editor.schema.value.types[type]?.label,
        }))
      }}
      onChoose={({ id }) => {
        const row = found.peek().find(({ aposDocId }) => aposDocId === id)
        if (row) onChoose(row)
      }}
    />
  )
}
