import { useEditor } from '../../data/editor.ts'
import { useWaitingProposals } from '../../data/proposals.ts'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import { t } from '../../words/words.ts'

/** Says that proposals wait for the document, and leads to them; nothing where there are none. */
export function DocumentProposals({ draft }: { readonly draft: OpenDraft }) {
  const { type, latest } = draft
  const docId = latest.value?._id
  if (!type.localized || typeof docId !== 'string') return null
  return <Waiting docId={docId} />
}

function Waiting({ docId }: { readonly docId: string }) {
  const { link } = useEditor()
  const { data } = useWaitingProposals(docId)
  if (!data || data.total === 0) return null
  return (
    <section class="q-document-proposals" aria-label={t.proposals.title}>
      <p>{t.proposals.waiting(data.total)}</p>
      <ul>
        {data.results.map(({ _id, title }) => (
          <li key={_id}>
            <a href={link(`/proposals/${_id}`)}>{title}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
