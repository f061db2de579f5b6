import { RefreshCw, X } from 'lucide'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { t } from '../../../words/words.ts'
import type { PageOffer } from './page-offer.ts'

/** CSS pixels of telephones, tablets and desks. */
const WIDTHS = [360, 768, 1280] as const

/** How the page is shown. */
export interface PageView {
  /** CSS pixels; null for the whole width. */
  readonly width: number | null
  readonly copy: 'draft' | 'published'
}

interface PageToolsProps {
  readonly offer: PageOffer
  readonly view: PageView
  readonly onView: (view: PageView) => void
  readonly onReload: () => void
  readonly onClose: () => void
}

/** How wide the page is shown and which copy of it, and ways to see it elsewhere. */
export function PageTools({ offer, view, onView, onReload, onClose }: PageToolsProps) {
  return (
    <div class="q-page-tools">
      <fieldset class="q-row" aria-label={t.page.width}>
        {[...WIDTHS, null].map((width) => (
          <Button
            key={width}
            kind="quiet"
            onPress={() => onView({ ...view, width })}
            attributes={{ 'aria-pressed': view.width === width }}
          >
            {width === null ? t.page.full : t.page.pixels(width)}
          </Button>
        ))}
      </fieldset>
      <fieldset class="q-row" aria-label={t.page.copy}>
        {(['draft', 'published'] as const).map((copy) => (
          <Button
            key={copy}
            kind="quiet"
            onPress={() => onView({ ...view, copy })}
            offBecause={offer[copy] === null ? t.page.notPublished : null}
            attributes={{ 'aria-pressed': view.copy === copy }}
          >
            {t.page[copy]}
          </Button>
        ))}
      </fieldset>
      <span class="q-page-ways">
        <a href={offer.draft} target="_blank" rel="noopener">
          {t.page.openDraft}
        </a>
        {offer.published !== null && (
          <a href={offer.published} target="_blank" rel="noopener">
            {t.publishing.view}
          </a>
        )}
        <Button kind="quiet" label={t.page.again} onPress={onReload}>
          <Icon of={RefreshCw} />
        </Button>
        <Button kind="quiet" label={t.page.hide} onPress={onClose}>
          <Icon of={X} />
        </Button>
      </span>
    </div>
  )
}
