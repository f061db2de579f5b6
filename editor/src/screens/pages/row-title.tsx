import { Archive, ChevronRight, Lock } from 'lucide'
import { useEditor } from '../../data/editor.ts'
import { AiMark } from '../../ui/ai-mark.tsx'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../words/words.ts'
import type { PageRow } from './page-row.ts'

interface RowTitleProps {
  readonly page: PageRow
  readonly isOpen: boolean
  readonly isActive: boolean
  readonly ai: 'changed' | 'assisted' | false
  readonly onToggle: () => void
}

/** The first cell of a row: what opens the branch, and the title, which leads to the page. */
export function RowTitle({ page, isOpen, isActive, ai, onToggle }: RowTitleProps) {
  const { link } = useEditor()
  const isArchive = page.parkedId === 'archive'
  return (
    <th scope="row" class="q-tree-title">
      {page._childCount > 0 ? (
        <button
          type="button"
          // The arrow keys do this in the row.
          tabIndex={-1}
          class={isOpen ? 'q-tree-toggle q-tree-toggle--open' : 'q-tree-toggle'}
          aria-label={isOpen ? t.tree.close(page.title) : t.tree.open(page.title)}
          onClick={onToggle}
        >
          <Icon of={ChevronRight} />
        </button>
      ) : (
        <span class="q-tree-toggle" />
      )}
      {isArchive ? (
        <span class="q-tree-name">
          <Icon of={Archive} /> {t.tree.archive}
        </span>
      ) : (
        <a class="q-tree-name" href={link(`/pages/${page.aposDocId}`)} tabIndex={isActive ? 0 : -1}>
          {page.title}
        </a>
      )}
      <AiMark ai={ai} />
      {page.parkedId !== undefined && !isArchive && <LockMark fields={page.parked ?? []} />}
      {page.orphan === true && <small class="q-tree-note">{t.tree.orphan}</small>}
    </th>
  )
}

function LockMark({ fields }: { readonly fields: readonly string[] }) {
  const words = fields.length === 0 ? t.tree.lockedPlace : t.tree.lockedFields(fields.join(', '))
  return (
    <span class="q-tree-note" title={words}>
      <Icon of={Lock} />
      <span class="q-hidden">{words}</span>
    </span>
  )
}
