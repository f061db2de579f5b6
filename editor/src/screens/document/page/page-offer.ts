import { listPath } from '../../../data/document-path.ts'
import { useEditor } from '../../../data/editor.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { draftAddress, publishedAddress } from '../../../model/draft-address.ts'
import { stateOf } from '../../../ui/state-mark.tsx'
import { t } from '../../../words/words.ts'

/** The page of a document. */
export interface PageOffer {
  readonly draft: string
  /** Null while it is not published. */
  readonly published: string | null
}

/** The page of a document, or why it has none; null for pictures and files, whose address is that of the file. */
export function usePageOffer({ latest, type, typeName }: OpenDraft): PageOffer | { readonly reason: string } | null {
  const { locale, place, schema } = useEditor()
  const { value: document } = latest
  if (listPath(typeName, type, place.namespace).startsWith('/media/')) return null
  if (document === null) return { reason: t.page.isNew }
  const state = stateOf(document)
  if (state === 'archived') return { reason: t.page.isArchived }
  const addresses = { here: globalThis.location.origin, frontends: schema.value.editor?.frontends ?? [] }
  const draft = draftAddress(document._url, addresses, type.localized ? locale.value : null)
  if (draft === null) return { reason: t.page.noUrl }
  return { draft, published: state === 'draft' ? null : publishedAddress(document._url, addresses) }
}
