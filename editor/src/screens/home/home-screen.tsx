import type { JsonObject, TypeInfo } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { useQuery } from '../../data/query.ts'
import { useAiMarks } from '../../data/written-by-ai.ts'
import { AiMark } from '../../ui/ai-mark.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateMark, stateOf } from '../../ui/state-mark.tsx'
import { t } from '../../words/words.ts'
import { documentPath } from '../parts/document-path.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import { ScreenTitle } from '../parts/screen-title.tsx'
import { When } from '../parts/when.tsx'
import { LeftCard } from './left-card.tsx'
import { ProposalsCard } from './proposals-card.tsx'
import './home-screen.css'

const ROWS = 8

/** The first screen: the documents that wait for the user. */
export function HomeScreen() {
  const { schema } = useEditor()
  const { caller, types } = schema.value
  const publishes = Object.values(types).some(({ denied }) => denied.publish === undefined)
  const isScheduling = Object.values(types).some(({ scheduling }) => scheduling)
  const waiting = { state: ['draft', 'modified'], ...(publishes ? {} : { updatedBy: caller._id }) }
  return (
    <>
      <ScreenTitle title={t.home.title} />
      <NewLinks />
      <div class="q-home">
        <LeftCard />
        <ProposalsCard />
        {isScheduling && <Card title={t.schedules.failed} nothing={null} query={{ scheduleError: 'true' }} />}
        <Card title={t.home.goOn} nothing={t.home.nothingYours} query={{ updatedBy: caller._id }} />
        <Card
          title={publishes ? t.home.waiting : t.home.waitingForEditor}
          nothing={t.home.nothingWaits}
          query={waiting}
        />
        <Card title={t.home.changed} nothing={t.home.nothingChanged} query={{}} />
      </div>
    </>
  )
}

function NewLinks() {
  const { schema, link } = useEditor()
  const { types, site } = schema.value
  const isOwn = ([name, type]: [string, TypeInfo]) =>
    type.family === 'piece' && !type.singleton && !name.startsWith(`${site.namespace}/`)
  const creatable = Object.entries(types).filter((one) => isOwn(one) && one[1].denied.createDraft === undefined)
  if (creatable.length === 0) return null
  return (
    <section class="q-home-new" aria-label={t.home.create}>
      {creatable.map(([name, { label }]) => (
        <LinkButton key={name} href={link(`/content/${encodeURIComponent(name)}/new`)}>
          {t.list.create(label)}
        </LinkButton>
      ))}
    </section>
  )
}

interface CardProps {
  readonly title: string
  /** The text where there are no documents; null hides the card. */
  readonly nothing: string | null
  readonly query: Readonly<Record<string, string | readonly string[]>>
}

/** Documents of all types; it loads and fails by itself. */
function Card({ title, nothing, query }: CardProps) {
  const { request, locale } = useEditor()
  const found = useQuery(['documents', locale.value, query], (signal) =>
    request<{ results: readonly JsonObject[] }>('GET', '@cms/documents', {
      query: { ...query, sort: '-updatedAt', perPage: ROWS },
      locale: locale.value,
      signal,
    }),
  )
  const marks = useAiMarks('documents', found.data?.results ?? [])
  if (nothing === null && found.error === null && !found.data?.results.length) return null
  return (
    <section class="q-card" aria-label={title}>
      <h2>{title}</h2>
      {found.error !== null && <LoadFailure error={found.error} onRetry={found.retry} />}
      {found.data === undefined && found.error === null && <Skeleton rows={3} />}
      {found.data?.results.length === 0 && <p>{nothing}</p>}
      <ul>
        {found.data?.results.map((row) => (
          <CardRow key={String(row._id)} row={row} ai={marks.get(String(row.aposDocId)) ?? false} />
        ))}
      </ul>
    </section>
  )
}

interface CardRowProps {
  readonly row: JsonObject
  readonly ai: 'changed' | 'assisted' | false
}

function CardRow({ row, ai }: CardRowProps) {
  const { schema, link } = useEditor()
  const type = schema.value.types[String(row.type)]
  if (type === undefined) return null
  return (
    <li class="q-card-row">
      <a href={link(documentPath(String(row.type), type, String(row.aposDocId)))}>
        {String(row.title || t.list.untitled)}
      </a>
      <span>{type.label}</span>
      {/* Without drafts, there are no states either. */}
      {type.localized && <StateMark state={stateOf(row)} />}
      <AiMark ai={ai} />
      <When time={String(row.updatedAt)} />
    </li>
  )
}
