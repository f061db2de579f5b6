import { Failure } from '../../../ui/failure.tsx'
import { t } from '../../../words/words.ts'
import type { PageState } from './use-framed-page.ts'

interface PageNotesProps {
  readonly state: PageState
  readonly url: string
  /** Whether what is shown could talk with the editor. */
  readonly isDraft: boolean
  readonly onRetry: () => void
}

/** How it stands with the page in the frame. */
export function PageNotes({ state, url, isDraft, onRetry }: PageNotesProps) {
  if (state === 'unreachable') {
    const { origin, pathname } = new URL(url)
    return <Failure message={t.page.unreachable(origin + pathname)} onRetry={onRetry} />
  }
  if (state === 'missing' || state === 'failed') return <Failure message={t.page[state]} onRetry={onRetry} />
  const text = state === 'loading' ? t.page.loading : state === 'plain' && isDraft ? t.page.plain : ''
  return (
    <p role="status" class="q-page-note">
      {text}
    </p>
  )
}
