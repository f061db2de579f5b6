import { type Signal, useSignal } from '@preact/signals'
import { useQuery } from '../../data/query.ts'
import { t } from '../../words/words.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import type { PageRequests } from './page-requests.ts'
import { isArchived, type PageRow } from './page-row.ts'
import { type Choice, type OptionGroup, reasonOf } from './target-choice.ts'
import { TargetOption } from './target-option.tsx'

interface TargetLevelProps {
  readonly requests: PageRequests
  readonly moving: PageRow | null
  /** From below the home page to the page whose children are shown. */
  readonly way: Signal<readonly Choice[]>
  readonly common: OptionGroup
}

/** One level of the tree: a page, and the pages directly below it. */
export function TargetLevel({ requests, moving, way, common }: TargetLevelProps) {
  const chunks = useSignal(1)
  const here = way.value.at(-1)?.docId ?? '_home'
  const level = useQuery(['tree', 'level', here, chunks.value], async (signal) => {
    const page = await requests.one(here, signal)
    const rows: PageRow[] = []
    for (let chunk = 0; chunk < chunks.value; chunk += 1) {
      const read = await requests.children(page.aposDocId, { from: rows.length, isArchived: isArchived(page), signal })
      rows.push(...read.rows)
      if (rows.length >= read.total) return { page, rows, isAll: true }
    }
    return { page, rows, isAll: false }
  })
  const go = (to: readonly Choice[]) => {
    chunks.value = 1
    way.value = to
  }
  if (level.error !== null) return <LoadFailure error={level.error} onRetry={level.retry} />
  if (level.data === undefined) return <p>{t.tree.loading}</p>
  const { page, rows, isAll } = level.data
  const option = (row: PageRow) => ({
    ...common,
    choice: { docId: row.aposDocId, title: row.title },
    reason: reasonOf(moving, row.aposDocId, row.path.split('/').slice(0, -1)),
  })
  return (
    <>
      {way.value.length > 0 && (
        <nav class="q-target-way" aria-label={t.tree.way}>
          {[{ docId: '_home', title: t.frame.home }, ...way.value.slice(0, -1)].map(({ docId, title }, index) => (
            <button key={docId} type="button" class="q-target-step" onClick={() => go(way.value.slice(0, index))}>
              {title} ›
            </button>
          ))}
        </nav>
      )}
      <div class="q-target-list">
        <TargetOption {...option(page)} />
        {rows.map((row) => (
          <TargetOption
            key={row.aposDocId}
            {...option(row)}
            isInside
            onGoInto={
              row._childCount > 0 && row.aposDocId !== moving?.aposDocId
                ? () => go([...way.value, { docId: row.aposDocId, title: row.title }])
                : null
            }
          />
        ))}
        {rows.length === 0 && <p>{t.tree.none}</p>}
        {!isAll && (
          <button
            type="button"
            class="q-button q-button--plain"
            onClick={() => {
              chunks.value += 1
            }}
          >
            {t.tree.showMore}
          </button>
        )}
      </div>
    </>
  )
}
