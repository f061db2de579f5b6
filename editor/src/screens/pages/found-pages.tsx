import { useEditor } from '../../data/editor.ts'
import { useAiMarks } from '../../data/written-by-ai.ts'
import { AiMark } from '../../ui/ai-mark.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateMark, stateOf } from '../../ui/state-mark.tsx'
import { t } from '../../words/words.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import { useFoundPages, wayTo } from './use-found-pages.ts'
import './found-pages.css'

interface FoundPagesProps {
  readonly words: string
  readonly onShow: (docId: string) => void
}

/** The pages found, as a flat list that says where each page stands. */
export function FoundPages({ words, onShow }: FoundPagesProps) {
  const { link } = useEditor()
  const found = useFoundPages(words)
  const marks = useAiMarks('tree', found.data?.pages.map(({ row }) => row) ?? [])
  if (found.error !== null) return <LoadFailure error={found.error} onRetry={found.retry} />
  if (found.data === undefined) return <Skeleton rows={4} />
  const { pages, total } = found.data
  return (
    <>
      <p class="q-found-count" role="status">
        {total === 0 ? t.tree.nothingFound : t.tree.foundCount(total)}{' '}
        {total > pages.length && t.tree.foundMore(pages.length)}
      </p>
      <ul class="q-found" aria-label={t.tree.found}>
        {pages.map((page) => (
          <li key={page.docId} class="q-found-page">
            <a href={link(`/pages/${page.docId}`)}>{page.title}</a>
            <StateMark state={stateOf(page.row)} />
            <span class="q-found-way">
              {wayTo(page)} <AiMark ai={marks.get(page.docId) ?? false} />
            </span>
            <Button onPress={() => onShow(page.docId)} label={t.tree.showTitleInTree(page.title)}>
              {t.tree.showInTree}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
