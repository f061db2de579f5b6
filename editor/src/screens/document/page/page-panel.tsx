import { useSignal } from '@preact/signals'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { t } from '../../../words/words.ts'
import { PageFrame } from './page-frame.tsx'
import { PageNotes } from './page-notes.tsx'
import type { PageOffer } from './page-offer.ts'
import { PageTools, type PageView } from './page-tools.tsx'
import { useLivePage } from './use-live-page.ts'
import './page-panel.css'

interface PagePanelProps {
  readonly draft: OpenDraft
  readonly offer: PageOffer
  readonly onClose: () => void
}

/**
 * The page of a document beside its form. A click at a part of it leads to the form; what is written there is drawn in the
 * page before it is saved.
 */
export function PagePanel({ draft, offer, onClose }: PagePanelProps) {
  const view = useSignal<PageView>({ width: null, copy: 'draft' })
  const { width, copy } = view.value
  const isDraft = copy === 'draft' || offer.published === null
  const url = isDraft ? offer.draft : (offer.published ?? offer.draft)
  const page = useLivePage(draft, { url, isDraft })
  return (
    <aside class="q-page" aria-label={t.page.title}>
      <PageTools
        offer={offer}
        view={{ width, copy: isDraft ? 'draft' : 'published' }}
        onView={(next) => {
          view.value = next
        }}
        onReload={page.reload}
        onClose={onClose}
      />
      <PageNotes state={page.state.value} url={url} isDraft={isDraft} onRetry={page.reload} />
      <PageFrame page={page} width={width} />
    </aside>
  )
}
