import { Redo2, Undo2 } from 'lucide'
import { useEffect } from 'preact/hooks'
import type { OpenDocument } from '../../model/form.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { announce } from '../../ui/live.tsx'
import { t } from '../../words/words.ts'

/** Takes changes back and makes them again: one history for the whole document. */
export function UndoButtons({ document: draft }: { readonly document: OpenDocument }) {
  const { undoLabel, redoLabel } = draft
  const undo = () => {
    announce(t.document.undoOf(undoLabel.peek()?.label ?? ''))
    draft.undo()
  }
  const redo = () => {
    announce(t.document.redoOf(redoLabel.peek()?.label ?? ''))
    draft.redo()
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z' || event.defaultPrevented) return
      event.preventDefault()
      if (event.shiftKey) redo()
      else undo()
    }
    globalThis.addEventListener('keydown', onKey)
    return () => globalThis.removeEventListener('keydown', onKey)
  }, [draft])
  return (
    <>
      <Button
        kind="quiet"
        label={t.document.undo}
        onPress={undo}
        offBecause={undoLabel.value === null ? t.document.nothingToUndo : null}
      >
        <Icon of={Undo2} />
      </Button>
      <Button
        kind="quiet"
        label={t.document.redo}
        onPress={redo}
        offBecause={redoLabel.value === null ? t.document.nothingToRedo : null}
      >
        <Icon of={Redo2} />
      </Button>
    </>
  )
}
