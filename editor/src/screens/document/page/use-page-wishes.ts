import { useContext } from 'preact/hooks'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { asked } from '../../../fields/asked.ts'
import { elementAt, GoTo } from '../../../fields/go-to.ts'
import type { Mark, Wish } from '../../../inside/protocol.ts'
import type { FormNode, Path } from '../../../model/form.ts'
import { nodeOfMark } from '../../../model/page-parts.ts'
import { note } from '../../../ui/toast.tsx'
import { t } from '../../../words/words.ts'

/** Frames that a part of the form may take until it is open. */
const FRAMES = 30

/** Does in the form what somebody wishes at the page. */
export function usePageWishes({ document: { root }, saver }: OpenDraft) {
  const goTo = useContext(GoTo)
  const nodeOf = (mark: Mark) => {
    if (mark.docId.split(':')[0] === saver.place.peek().docId) return nodeOfMark(root, mark)
    note(t.page.elsewhere)
    return null
  }
  return {
    /** Opens what a part comes from, with the focus in it. */
    open(mark: Mark) {
      const node = nodeOf(mark)
      if (node) goTo.value = [...placeIn(node)]
    },
    ask(mark: Mark, wish: Wish) {
      const node = nodeOf(mark)
      if (node === null || node.kind === 'leaf') return
      const [path, id] = node.kind === 'items' ? [node.path, null] : [node.path.slice(0, -1), node.id]
      const run = () => {
        asked.value = { path, id, wish }
      }
      if (elementAt(path)) run()
      else {
        goTo.value = [...path]
        whenFocused(path, run)
      }
    },
  }
}

/** Of a block its first field: what is written in comes before what the block can do. */
function placeIn(node: FormNode): Path {
  const children = node.kind === 'group' ? [...node.children.values()] : []
  return children.find(({ isShown }) => isShown.peek())?.path ?? node.path
}

function whenFocused(path: Path, run: () => void, frames = FRAMES): void {
  if (frames === 0 || elementAt(path)?.contains(document.activeElement)) run()
  else requestAnimationFrame(() => whenFocused(path, run, frames - 1))
}
