import { t } from '../../words/words.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import type { PageRow } from './page-row.ts'
import { type OptionGroup, reasonOf } from './target-choice.ts'
import { TargetOption } from './target-option.tsx'
import { type FoundPage, useFoundPages, wayTo } from './use-found-pages.ts'

interface TargetsFoundProps {
  readonly words: string
  readonly moving: PageRow | null
  readonly common: OptionGroup
}

/** The pages that words find, as targets. */
export function TargetsFound({ words, moving, common }: TargetsFoundProps) {
  const found = useFoundPages(words)
  if (found.error !== null) return <LoadFailure error={found.error} onRetry={found.retry} />
  const reason = ({ docId, ancestors }: FoundPage) =>
    reasonOf(
      moving,
      docId,
      ancestors.map((one) => one.docId),
    )
  return (
    <div class="q-target-list">
      {found.data?.pages.length === 0 && <p>{t.tree.nothingFound}</p>}
      {found.data?.pages.map((page) => (
        <TargetOption
          key={page.docId}
          {...common}
          choice={{ docId: page.docId, title: page.title }}
          detail={wayTo(page)}
          reason={reason(page)}
        />
      ))}
    </div>
  )
}
