import { useRoute } from 'preact-iso'
import { useEditor } from '../../data/editor.ts'
import { type Proposal, useProposal } from '../../data/proposals.ts'
import { AiMark } from '../../ui/ai-mark.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { t } from '../../words/words.ts'
import { documentPath } from '../parts/document-path.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import { ScreenTitle } from '../parts/screen-title.tsx'
import { When } from '../parts/when.tsx'
import { ProposalRows } from './proposal-rows.tsx'
import './proposals.css'

/** One proposal: what it would change, row by row, to be accepted or refused. */
export function ProposalScreen() {
  const { link } = useEditor()
  const id = useRoute().params.id ?? ''
  const { data, error, retry } = useProposal(id)
  const proposal = data?._id === id ? data : undefined
  return (
    <>
      <a class="q-proposal-back" href={link('/proposals')}>
        {t.proposals.back}
      </a>
      <ScreenTitle title={proposal?.title ?? t.proposals.title} />
      {error !== null && <LoadFailure error={error} onRetry={retry} />}
      {proposal === undefined && error === null && <Skeleton rows={6} />}
      {proposal && (
        <>
          <About proposal={proposal} />
          <Warnings proposal={proposal} />
          <ProposalRows key={id} proposal={proposal} />
        </>
      )}
    </>
  )
}

function About({ proposal }: { readonly proposal: Proposal }) {
  const { schema, link } = useEditor()
  const { docId, type: typeName, documentTitle, locale, maker, ai, createdAt, reason, state, obstacle } = proposal
  const type = schema.value.types[typeName]
  const name = documentTitle || t.list.untitled
  return (
    <>
      <p class="q-proposal-about">
        <span>
          {t.proposals.forDocument}{' '}
          {type && documentTitle ? (
            <a href={link(documentPath(typeName, type, docId.split(':')[0] ?? ''), { locale })}>{name}</a>
          ) : (
            name
          )}
        </span>
        <span>{schema.value.site.locales[locale]?.label ?? locale}</span>
        <span>{t.proposals.by(maker.title)}</span>
        <AiMark ai={ai ? 'changed' : false} />
        <When time={createdAt} />
        <span>{t.proposals.state[state]}</span>
      </p>
      {reason !== '' && <p class="q-proposal-reason">{reason}</p>}
      {obstacle && <p role="status">{obstacle}</p>}
    </>
  )
}

function Warnings({ proposal: { _warnings } }: { readonly proposal: Proposal }) {
  if (_warnings.length === 0) return null
  const messages = [...new Set(_warnings.map(({ message }) => message))]
  return (
    <section class="q-proposal-warnings" aria-label={t.proposals.warnings}>
      <h2>{t.proposals.warnings}</h2>
      <ul>
        {messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </section>
  )
}
