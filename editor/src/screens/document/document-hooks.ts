import { useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useEditor } from '../../data/editor.ts'
import { invalidate } from '../../data/query.ts'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import { documentPath } from '../parts/document-path.ts'

/** Ctrl S saves a version of its own, Ctrl Shift S asks for its name; on a Mac ⌘. */
export function useSaveKeys({ saver, type, latest }: OpenDraft, onName: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      if (event.shiftKey && type.versions && latest.peek() !== null) onName()
      else void saver.flush({ isVersion: true })
    }
    globalThis.addEventListener('keydown', onKey)
    return () => globalThis.removeEventListener('keydown', onKey)
  }, [saver])
}

/** A new document gets an address of its own once it is made. */
export function useOwnAddress({ saver, typeName, type, latest }: OpenDraft): void {
  const { link } = useEditor()
  useSignalEffect(() => {
    const { docId } = saver.place.value
    if (latest.value === null) return
    const address = link(documentPath(typeName, type, docId))
    // Silently: nothing on the screen is to be drawn again.
    if (globalThis.location.pathname !== new URL(address, globalThis.location.href).pathname)
      globalThis.history.replaceState(null, '', address)
  })
}

/** Marks lists as stale once the document was saved. */
export function useStale({ latest, typeName, type }: OpenDraft): void {
  const first = useRef(latest.peek())
  useEffect(
    () => () => {
      if (latest.peek() !== first.current)
        void invalidate(typeName, 'documents', ...(type.family === 'page' ? ['tree'] : []))
    },
    [typeName, type, latest],
  )
}
