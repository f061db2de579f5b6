import { useSignal } from '@preact/signals'
import { newId } from '../../base/ids.ts'
import { type Editor, useEditor } from '../../data/editor.ts'
import { invalidate } from '../../data/query.ts'
import { announce } from '../../ui/live.tsx'
import { note } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { useArchiving } from '../parts/uses/archiving.tsx'
import type { Line, Target } from './branches.ts'
import { type Asking, type PageActions, subjectOf } from './page-actions.ts'
import { menuOf } from './page-menu.ts'
import type { PageRequests } from './page-requests.ts'
import { isArchived, type PageRow, parentOf, reasonAgainst } from './page-row.ts'
import type { Tree } from './tree.ts'

/** Actions on the pages of a tree: each says what it did, or why it did not. */
export function usePageActions(tree: Tree, requests: PageRequests): PageActions {
  const editor = useEditor()
  const asking = useSignal<Asking | null>(null)
  const archiving = useArchiving()
  return actionsOn(tree, requests, { editor, asking, archiving })
}

function actionsOn(
  tree: Tree,
  requests: PageRequests,
  { editor, asking, archiving }: Pick<PageActions, 'asking' | 'archiving'> & { readonly editor: Editor },
): PageActions {
  const typeOf = ({ type }: PageRow) => editor.schema.value.types[type]

  /** Says why something failed; true where it did not. */
  async function isDone(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      note(error instanceof Error ? error.message : String(error))
      return false
    }
  }

  async function afterwards({ type }: PageRow): Promise<void> {
    tree.renew()
    await invalidate('tree', 'documents', type)
  }

  async function move(page: PageRow, target: Target): Promise<void> {
    await isDone(async () => {
      const standing = await tree.move(page, target, () => requests.move(page.aposDocId, target))
      if (standing) announce(t.tree.moved(page.title, standing.index + 1, standing.all, standing.parent.title))
      else {
        note(t.tree.movedAway(page.title))
        await tree.reveal(page.aposDocId)
      }
      await invalidate('tree', 'documents', page.type)
    })
  }

  async function archiveNow({ parent, index }: Line, page: PageRow): Promise<void> {
    const next = tree.lines.peek().find((line) => line.parent === parent && line.index === index + 1)?.page
    const back: Target = next ? { docId: next.aposDocId, position: 'before' } : { docId: parent, position: 'lastChild' }
    const to: Target = { docId: archiveIn(tree), position: 'lastChild' }
    if (!(await isDone(() => tree.move(page, to, () => requests.move(page.aposDocId, to))))) return
    note(t.tree.archived(page.title), {
      label: t.tree.undo,
      run: () => void isDone(() => requests.move(page.aposDocId, back)).then(() => afterwards(page)),
    })
    await invalidate('tree', 'documents', page.type)
  }

  const actions: PageActions = {
    asking,
    archiving,
    ask: (next) => {
      asking.value = next
    },
    itemsOf: (line) => menuOf(line, editor, actions),
    move,
    async moveByKey(page, target) {
      const isOut = isArchived(page) && target?.docId === parentOf(page)
      const reason = reasonAgainst('move', page, typeOf(page)) ?? (isOut ? t.tree.outOfArchive : null)
      const isNowhere = target === null || tree.page(target.docId)?.parkedId === 'archive'
      if (reason !== null || isNowhere || target === null) note(reason ?? t.tree.noFurther)
      else await move(page, target)
    },
    async archive(line) {
      const { page } = line
      if (page === null) return
      await archiving.archive([subjectOf(editor, page)], () => void archiveNow(line, page))
    },
    async duplicate(page) {
      await isDone(async () => {
        const from = { type: page.type, _copyingId: page._id }
        const copy = await requests.create(from, { docId: page.aposDocId, position: 'after' }, newId())
        note(t.tree.duplicated(page.title))
        await afterwards(page)
        await tree.reveal(copy.aposDocId)
      })
    },
    async publish(page) {
      if (await isDone(() => requests.publish(page.aposDocId))) note(t.tree.published(page.title))
      await afterwards(page)
    },
    async remove(page) {
      if (await isDone(() => requests.remove(page.aposDocId))) note(t.tree.removed(page.title))
      await afterwards(page)
    },
    view: ({ _url }) => void globalThis.open(_url, '_blank', 'noopener'),
    edit({ aposDocId }) {
      tree.leaveFor(aposDocId)
      editor.go(`/pages/${aposDocId}`)
    },
  }
  return actions
}

/** The id of the archive; the service knows it by a name, too. */
function archiveIn(tree: Tree): string {
  return tree.lines.peek().find(({ page }) => page?.parkedId === 'archive')?.page?.aposDocId ?? '_archive'
}
