import { type Signal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useEditor } from '../../../data/editor.ts'
import { later } from '../later.tsx'
import { type FoundUses, findUses, type UseSubject } from './uses.ts'

const UsedDialog = later(async () => (await import('./used-dialog.tsx')).UsedDialog)

interface Asking {
  readonly found: FoundUses
  readonly count: number
  readonly archive: () => void
}

/** Asks before what is used is archived; what nothing uses is archived at once. */
export function useArchiving() {
  const editor = useEditor()
  const asking = useSignal<Asking | null>(null)
  const isBusy = useRef(false)
  const archive = async (documents: readonly UseSubject[], go: () => void) => {
    // Pressed twice, it is done once.
    if (isBusy.current) return
    isBusy.current = true
    const found = await findUses(editor, documents)
    isBusy.current = false
    if (found.used.length === 0 && found.failure === null) go()
    else asking.value = { found, count: documents.length, archive: go }
  }
  return { archive, asking }
}

/** The question that is open, if any. */
export function Archiving({ asking }: { readonly asking: Signal<Asking | null> }) {
  const { value: open } = asking
  if (open === null) return null
  const close = () => {
    asking.value = null
  }
  return (
    <UsedDialog
      found={open.found}
      count={open.count}
      onClose={close}
      onArchive={() => {
        close()
        open.archive()
      }}
    />
  )
}
