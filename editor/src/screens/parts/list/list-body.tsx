import type { ComponentChildren } from 'preact'
import type { JsonObject } from 'quire-client'
import { Button } from '../../../ui/button.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { t } from '../../../words/words.ts'
import { LoadFailure } from '../load-failure.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { isNarrowed, viewOf } from './list-view.ts'
import type { OpenList } from './use-list.ts'

interface ListBodyProps {
  readonly list: OpenList
  /** Draws a page of the list. */
  readonly children: (rows: readonly JsonObject[]) => ComponentChildren
  /** Said, or offered, where there is nothing at all yet. */
  readonly whenEmpty: ComponentChildren
}

/** The rows of a list, page by page, and the actions on those that are chosen. */
export function ListBody({ list, children, whenEmpty }: ListBodyProps) {
  const { name, type, view, answered, chosen, show } = list
  const { data, error, retry } = answered
  return (
    <>
      {error !== null && <LoadFailure error={error} onRetry={retry} />}
      {data === undefined && error === null && <Skeleton rows={10} />}
      {data !== undefined && (
        <>
          <p class={data.total === 0 ? 'q-hidden' : 'q-list-count'} role="status">
            {t.list.count(data.total)}
          </p>
          {data.results.length > 0 && children(data.results)}
          {data.results.length === 0 &&
            (isNarrowed(view) ? (
              <p class="q-list-nothing">
                {t.list.nothing} <Button onPress={() => show(viewOf({}))}>{t.list.clearFilters}</Button>
              </p>
            ) : (
              <div class="q-list-nothing">{whenEmpty}</div>
            ))}
          <Pager page={data.currentPage} pages={data.pages} onPage={(page) => show({ page })} />
        </>
      )}
      <BulkActions name={name} type={type} chosen={chosen} isArchive={view.state === 'archived'} />
    </>
  )
}
