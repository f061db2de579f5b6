import { useEditor } from '../../data/editor.ts'
import { useWaitingProposals } from '../../data/proposals.ts'
import { t } from '../../words/words.ts'
import { When } from '../parts/when.tsx'

const ROWS = 8

/** The proposals that wait; nothing where there are none. */
export function ProposalsCard() {
  const { link } = useEditor()
  const { data } = useWaitingProposals()
  if (!data || data.total === 0) return null
  return (
    <section class="q-card" aria-label={t.proposals.title}>
      <h2>{t.proposals.title}</h2>
      <ul>
        {data.results.slice(0, ROWS).map(({ _id, title, documentTitle, createdAt }) => (
          <li key={_id} class="q-card-row">
            <a href={link(`/proposals/${_id}`)}>{title}</a>
            <span>{documentTitle || t.list.untitled}</span>
            <When time={createdAt} />
          </li>
        ))}
      </ul>
      {data.total > ROWS && <a href={link('/proposals')}>{t.proposals.waiting(data.total)}</a>}
    </section>
  )
}
