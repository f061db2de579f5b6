import { useEffect, useRef } from 'preact/hooks'
import { useEditor } from '../../data/editor.ts'
import { useAiMarks } from '../../data/written-by-ai.ts'
import { useVirtualRows } from '../../ui/use-virtual-rows.ts'
import { t } from '../../words/words.ts'
import type { Line } from './branches.ts'
import type { PageActions } from './page-actions.ts'
import type { Tree } from './tree.ts'
import { lineBeginningWith, stepOf, type Typed, typedWith } from './tree-keys.ts'
import { TreeRow } from './tree-row.tsx'
import './page-tree.css'

const ROW_HEIGHT = matchMedia('(pointer: coarse)').matches ? 52 : 40
/** The row with the names of the columns. */
const HEAD_ROWS = 1
/** Lines whose marks are asked for together. */
const ASKED = 100

interface PageTreeProps {
  readonly tree: Tree
  readonly actions: PageActions
}

/** The tree as a `treegrid`: one row has the keyboard, and only what can be seen is in the document. */
export function PageTree({ tree, actions }: PageTreeProps) {
  const { go } = useEditor()
  const body = useRef<HTMLTableSectionElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const typed = useRef<Typed | null>(null)
  const wantsFocus = useRef(false)
  const { value: lines } = tree.lines
  const { value: goal } = tree.goal
  const rows = useVirtualRows(lines.length, ROW_HEIGHT, body)
  const activeIndex = indexOf(lines, tree.active.value)
  const shown = lines.slice(rows.first, rows.end)
  const marks = useAiMarks('tree', pagesAround(lines, rows))
  useEffect(() => tree.need(shown))
  useEffect(() => {
    // The next key may have gone on before this was drawn.
    if (!wantsFocus.current || tree.active.peek() !== lines[activeIndex]?.page?.aposDocId) return
    const row = body.current?.querySelector<HTMLElement>(`[data-index="${activeIndex}"]`)
    if (row) {
      wantsFocus.current = false
      row.focus({ preventScroll: true })
    }
  })
  const goTo = (index: number) => {
    const page = tree.lines.peek()[index]?.page
    if (!page) return
    wantsFocus.current = true
    tree.active.value = page.aposDocId
    rows.show(index)
    // The row that had the keyboard may leave the document before the next one is there.
    table.current?.focus({ preventScroll: true })
  }
  useEffect(() => {
    const index = goal === null ? -1 : lines.findIndex(({ page }) => page?.aposDocId === goal)
    if (index < 0) return
    tree.goal.value = null
    goTo(index)
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event
    if (!(target instanceof HTMLElement) || !target.matches('[data-index], .q-tree')) return
    const now = tree.lines.peek()
    const index = indexOf(now, tree.active.peek())
    const page = now[index]?.page
    if (!page) return
    const isRightToLeft = getComputedStyle(target).direction === 'rtl'
    const step = stepOf(event, { lines: now, index, isRightToLeft })
    if (step === null) {
      typed.current = typedWith(event, typed.current, Date.now())
      const found = typed.current && lineBeginningWith(typed.current.text, now, index)
      if (found !== null && found >= 0) goTo(found)
      return
    }
    typed.current = null
    event.preventDefault()
    if (step.kind === 'go') goTo(step.index)
    else if (step.kind === 'move') void actions.moveByKey(page, step.target)
    else if (step.kind === 'edit' && page.parkedId !== 'archive') go(`/pages/${page.aposDocId}`)
    else tree.setOpen(page.aposDocId, step.kind === 'edit' ? !now[index]?.isOpen : step.kind === 'open')
  }
  return (
    <table
      {...TREEGRID}
      ref={table}
      tabIndex={-1}
      aria-label={t.frame.pages}
      aria-rowcount={lines.length + HEAD_ROWS}
      class="q-tree"
      onKeyDown={onKeyDown}
      onFocusIn={({ target }) => {
        const row = target instanceof Element && target.closest('[data-index]')
        const page = row && lines[Number(row.getAttribute('data-index'))]?.page
        if (page) tree.active.value = page.aposDocId
      }}
    >
      <thead>
        <tr class="q-tree-row q-tree-head" aria-rowindex={1}>
          {COLUMNS.map((name) => (
            <th key={name} scope="col" class={`q-tree-${name}`}>
              {t.tree[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body} style={{ paddingBlockStart: `${rows.above}px`, paddingBlockEnd: `${rows.below}px` }}>
        {shown.map((line, index) => (
          <TreeRow
            key={line.key}
            line={line}
            index={rows.first + index}
            height={ROW_HEIGHT}
            isActive={rows.first + index === activeIndex}
            tree={tree}
            actions={actions}
            ai={marks.get(line.key) ?? false}
          />
        ))}
      </tbody>
    </table>
  )
}

/** By the pattern of the ARIA guide: a table whose rows open and close. */
const TREEGRID = { role: 'treegrid' } as const
const COLUMNS = ['title', 'state', 'address', 'below', 'actions'] as const

/** The pages of the lines that are shown, and those around them: who scrolls on does not ask again for each line. */
function pagesAround(lines: readonly Line[], { first, end }: { readonly first: number; readonly end: number }) {
  const from = Math.floor(first / ASKED) * ASKED
  return lines.slice(from, Math.ceil(end / ASKED) * ASKED).flatMap(({ page }) => page ?? [])
}

/** Where a page is; the first line where it is not shown. */
function indexOf(lines: readonly Line[], docId: string | null): number {
  return Math.max(
    0,
    lines.findIndex(({ page }) => page?.aposDocId === docId),
  )
}
