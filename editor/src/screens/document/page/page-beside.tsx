import { useMemo } from 'preact/hooks'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { t } from '../../../words/words.ts'
import { later } from '../../parts/later.tsx'
import type { useSide } from '../side.ts'
import { usePageOffer } from './page-offer.ts'

const PagePanel = later(async () => (await import('./page-panel.tsx')).PagePanel)
/** There is room for a form and a page. */
const ROOM = '(width >= 60rem)'

interface PageBesideProps extends ReturnType<typeof useSide> {
  readonly draft: OpenDraft
}

/** Opens and closes the panel *Page*, or says why there is none. */
export function PageButton({ draft, side, show }: PageBesideProps) {
  const offer = usePageOffer(draft)
  const isOpen = useIsOpen({ side })
  if (offer === null) return null
  const reason = 'reason' in offer ? offer.reason : null
  return (
    <Button
      onPress={() => show(isOpen ? 'form' : 'page')}
      offBecause={reason}
      attributes={{ 'aria-expanded': isOpen && reason === null }}
    >
      {t.page.title}
    </Button>
  )
}

/** The page of a document beside its form; nothing where it has none, or nobody wants to see it. */
export function PageBeside({ draft, side, show }: PageBesideProps) {
  const offer = usePageOffer(draft)
  const isOpen = useIsOpen({ side })
  if (!isOpen || offer === null || 'reason' in offer) return null
  return <PagePanel draft={draft} offer={offer} onClose={() => show('form')} />
}

function useIsOpen({ side }: Pick<PageBesideProps, 'side'>): boolean {
  const hasRoom = useMemo(() => globalThis.matchMedia(ROOM).matches, [])
  return side.value === 'page' || (side.value === null && hasRoom)
}
