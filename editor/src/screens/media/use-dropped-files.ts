import { useEffect, useRef, useState } from 'preact/hooks'

/**
 * Hands over files that are dropped anywhere on the page, and those that are pasted. True while some are dragged over it.
 * Without `onFiles`, nothing is taken.
 */
export function useDroppedFiles(onFiles: ((files: Iterable<File>) => void) | null): boolean {
  const [isDragged, setDragged] = useState(false)
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const ending = new AbortController()
    const take = (event: Event, files: FileList | undefined) => {
      if (!files?.length || latest.current === null) return
      event.preventDefault()
      latest.current(files)
    }
    const listen = <Name extends 'dragover' | 'dragleave' | 'drop' | 'paste'>(
      name: Name,
      listener: (event: DocumentEventMap[Name]) => void,
    ) => document.addEventListener(name, listener, { signal: ending.signal })
    listen('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      if (latest.current !== null) setDragged(true)
    })
    listen('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) setDragged(false)
    })
    listen('drop', (event) => {
      setDragged(false)
      take(event, event.dataTransfer?.files)
    })
    listen('paste', (event) => take(event, event.clipboardData?.files))
    return () => ending.abort()
  }, [])
  return isDragged
}
