import { useLocation } from 'preact-iso'
import { useEditor } from '../../data/editor.ts'
import { readProposals, type ThinProposal } from '../../data/proposals.ts'
import { AiMark } from '../../ui/ai-mark.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import { ScreenTitle } from '../parts/screen-title.tsx'
import { useMore } from '../parts/use-more.ts'
import { When } from '../parts/when.tsx'
import './proposals.css'

/** The proposals that wait for somebody to decide, or all. */
export function ProposalsScreen() {
  const editor = useEditor()
  const isOpenOnly = useLocation().query.show !== 'all'
  const { answered, showMore } = useMore<ThinProposal>('proposals', String(isOpenOnly), (before, signal) =>
    readProposals(editor, isOpenOnly, { before, signal }),
  )
  const { data, error, retry } = answered
  return (
    <>
      <ScreenTitle title={t.proposals.title} />
      <div class="q-proposals-filter">
        <Choice
          label={t.proposals.show}
          chosen={isOpenOnly ? 'open' : 'all'}
          choices={[
            { value: 'open', label: t.proposals.open },
            { value: 'all', label: t.proposals.all },
          ]}
          onChoose={(show) => editor.go('/proposals', { query: show === 'all' ? { show } : {}, isReplacing: true })}
        />
      </div>
      {error !== null && <LoadFailure error={error} onRetry={retry} />}
      {data === undefined && error === null && <Skeleton rows={6} />}
      {data?.rows.length === 0 && <p>{isOpenOnly ? t.proposals.nothing : t.proposals.nothingYet}</p>}
      <ul class="q-proposals" aria-label={t.proposals.title}>
        {data?.rows.map((row) => (
          <ProposalLine key={row._id} row={row} />
        ))}
      </ul>
      {data?.hasMore && <Button onPress={showMore}>{t.proposals.more}</Button>}
    </>
  )
}

function ProposalLine({ row }: { readonly row: ThinProposal }) {
  const { schema, link } = useEditor()
  const { _id, title, documentTitle, type, maker, state, ai, createdAt } = row
  return (
    <li class="q-proposals-line">
      <a href={link(`/proposals/${_id}`)}>{title}</a>
      <span>{documentTitle || t.list.untitled}</span>
      <span>{schema.value.types[type]?.label ?? type}</span>
      <span>{maker.title}</span>
      <AiMark ai={ai ? 'changed' : false} />
      <When time={createdAt} />
      <span>{t.proposals.state[state]}</span>
    </li>
  )
}
