import type { Editor } from '../../data/editor.ts'
import type { MenuItem } from '../../ui/menu.tsx'
import { t } from '../../words/words.ts'
import type { Line } from './branches.ts'
import type { PageActions } from './page-actions.ts'
import { isArchived, reasonAgainst } from './page-row.ts'

/** Actions on a page; one that is off says why. */
export function menuOf(line: Line, { schema }: Pick<Editor, 'schema'>, actions: PageActions): readonly MenuItem[] {
  const { page } = line
  if (page === null) return []
  const type = schema.value.types[page.type]
  const off = (action: Parameters<typeof reasonAgainst>[0]) => ({ offBecause: reasonAgainst(action, page, type) })
  const first: readonly MenuItem[] = [
    { label: t.tree.edit, onChoose: () => actions.edit(page) },
    {
      label: t.tree.view,
      onChoose: () => actions.view(page),
      offBecause: page._url && !isArchived(page) ? null : t.tree.noAddress,
    },
  ]
  const remove: MenuItem = {
    label: t.tree.remove,
    onChoose: () => actions.ask({ kind: 'remove', page }),
    isDangerous: true,
    ...off('delete'),
  }
  if (isArchived(page))
    return [
      ...first,
      { label: t.tree.restore, onChoose: () => actions.ask({ kind: 'move', page }), ...off('archive') },
      remove,
    ]
  return [
    ...first,
    { label: t.tree.createBelow, onChoose: () => actions.ask({ kind: 'create', page }), ...off('create') },
    { label: t.tree.move, onChoose: () => actions.ask({ kind: 'move', page }), ...off('move') },
    { label: t.tree.duplicate, onChoose: () => void actions.duplicate(page), ...off('duplicate') },
    { label: t.tree.publish, onChoose: () => void actions.publish(page), ...off('publish') },
    { label: t.tree.archiveIt, onChoose: () => void actions.archive(line), isDangerous: true, ...off('archive') },
    remove,
  ]
}
