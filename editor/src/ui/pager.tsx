import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import './pager.css'

interface PagerProps {
  readonly page: number
  readonly pages: number
  readonly onPage: (page: number) => void
}

/** From page to page of a list. */
export function Pager({ page, pages, onPage }: PagerProps) {
  if (pages < 2) return null
  return (
    <nav class="q-pager" aria-label={t.list.pages}>
      <Button onPress={() => onPage(page - 1)} offBecause={page <= 1 ? t.list.firstPage : null}>
        {t.list.previous}
      </Button>
      <span>{t.list.page(page, pages)}</span>
      <Button onPress={() => onPage(page + 1)} offBecause={page >= pages ? t.list.lastPage : null}>
        {t.list.next}
      </Button>
    </nav>
  )
}
