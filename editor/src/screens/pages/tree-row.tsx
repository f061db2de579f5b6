import { Ellipsis, Plus } from 'lucide'
import { useEditor } from '../../data/editor.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { StateMark, stateOf } from '../../ui/state-mark.tsx'
import { t } from '../../words/words.ts'
import type { Line } from './branches.ts'
import type { PageActions } from './page-actions.ts'
import { reasonAgainst } from './page-row.ts'
import { RowTitle } from './row-title.tsx'
import type { Tree } from './tree.ts'

interface TreeRowProps {
  readonly line: Line
  /** In the whole tree, from 0. */
  readonly index: number
  /** In pixels. */
  readonly height: number
  /** Whether the keyboard is here: its controls are the next ones. */
  readonly isActive: boolean
  readonly tree: Tree
  readonly actions: PageActions
  /** The part of AI in the draft. */
  readonly ai: 'changed' | 'assisted' | false
}

/** One page of the tree, or the place of one that is loading. */
export function TreeRow({ line, index, height, isActive, tree, actions, ai }: TreeRowProps) {
  const { page, level, isOpen } = line
  const common = {
    class: 'q-tree-row',
    'data-index': index,
    'aria-level': level,
    'aria-rowindex': index + 2,
    'aria-posinset': line.index + 1,
    'aria-setsize': line.all,
    style: { blockSize: `${height}px`, '--q-level': level - 1 },
  } as const
  if (page === null)
    return (
      <tr {...common} tabIndex={-1}>
        <td class="q-tree-title q-tree-gap">{t.tree.loading}</td>
      </tr>
    )
  return (
    <tr {...common} tabIndex={isActive ? 0 : -1} aria-expanded={page._childCount > 0 ? isOpen : undefined}>
      <RowTitle
        page={page}
        isOpen={isOpen}
        isActive={isActive}
        ai={ai}
        onToggle={() => tree.setOpen(page.aposDocId, !isOpen)}
      />
      <td class="q-tree-state">{page.parkedId !== 'archive' && <StateMark state={stateOf(page)} />}</td>
      <td class="q-tree-address" title={page.slug}>
        {page.parkedId !== 'archive' && page.slug}
      </td>
      <td class="q-tree-below">{t.tree.belowCount(page._childCount)}</td>
      <td class="q-tree-actions">
        {page.parkedId !== 'archive' && <RowActions line={line} isActive={isActive} actions={actions} />}
      </td>
    </tr>
  )
}

function RowActions({ line, isActive, actions }: Pick<TreeRowProps, 'line' | 'isActive' | 'actions'>) {
  const { schema } = useEditor()
  const { page } = line
  if (page === null) return null
  const tabIndex = isActive ? 0 : -1
  return (
    <>
      <Button
        kind="quiet"
        label={t.tree.createBelowOf(page.title)}
        onPress={() => actions.ask({ kind: 'create', page })}
        offBecause={reasonAgainst('create', page, schema.value.types[page.type])}
        attributes={{ tabIndex }}
      >
        <Icon of={Plus} />
      </Button>
      <Menu label={t.tree.more(page.title)} kind="quiet" items={actions.itemsOf(line)} tabIndex={tabIndex}>
        <Icon of={Ellipsis} />
      </Menu>
    </>
  )
}
