import { type Signal, useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { SearchBox } from '../../ui/search-box.tsx'
import { t } from '../../words/words.ts'
import { LoadFailure } from '../parts/load-failure.tsx'
import type { PageRequests } from './page-requests.ts'
import { isArchived, type PageRow } from './page-row.ts'
import { TargetOption } from './target-option.tsx'
import { type FoundPage, useFoundPages, wayTo } from './use-found-pages.ts'
import './page-dialogs.css'

/** A page that was chosen as a target. */
export interface Choice {
  readonly docId: string
  readonly title: string
}

interface TargetPickerProps {
  readonly requests: PageRequests
  /** The page that moves: neither it nor what is below it can be chosen. */
  readonly moving: PageRow | null
  readonly chosen: Signal<Choice | null> | Signal<Choice>
}

/** Chooses a page: by words of its title, or by going down the tree, one level at a time. */
export function TargetPicker({ requests, moving, chosen }: TargetPickerProps) {
  const name = useId()
  const words = useSignal('')
  const way = useSignal<readonly Choice[]>([])
  const choose = (choice: Choice) => {
    chosen.value = choice
  }
  const common = { name, chosenId: chosen.value?.docId ?? null, onChoose: choose }
  return (
    <fieldset class="q-target">
      <legend class="q-field-label">{t.tree.where}</legend>
      <SearchBox
        label={t.list.search}
        value=""
        onSearch={(typed) => {
          words.value = typed.trim()
        }}
      />
      {words.value === '' ? (
        <Level requests={requests} moving={moving} way={way} common={common} />
      ) : (
        <Found words={words.value} moving={moving} common={common} />
      )}
    </fieldset>
  )
}

interface Common {
  readonly name: string
  readonly chosenId: string | null
  readonly onChoose: (choice: Choice) => void
}

/** Why a page is no target; null where it may be one. */
function reasonOf(moving: PageRow | null, docId: string, ancestors: readonly string[]): string | null {
  if (moving === null) return null
  if (docId === moving.aposDocId) return t.tree.isItself
  return ancestors.includes(moving.aposDocId) ? t.tree.isBelowItself : null
}

interface FoundProps {
  readonly words: string
  readonly moving: PageRow | null
  readonly common: Common
}

function Found({ words, moving, common }: FoundProps) {
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

interface LevelProps {
  readonly requests: PageRequests
  readonly moving: PageRow | null
  /** From below the home page to the page whose children are shown. */
  readonly way: Signal<readonly Choice[]>
  readonly common: Common
}

/** One level of the tree: a page, and the pages directly below it. */
function Level({ requests, moving, way, common }: LevelProps) {
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
