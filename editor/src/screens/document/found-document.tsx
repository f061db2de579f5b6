import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useEditor } from '../../data/editor.ts'
import {
  type DocumentAddress,
  type FoundDraft,
  findDraft,
  type OpenDraft,
  openDraft,
} from '../../data/saving/open-draft.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DocumentEditor } from './document-editor.tsx'
import { LeftChanges } from './left-changes.tsx'
import { NotFoundDocument } from './not-found-document.tsx'

type Step =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Changes were left on this device: somebody decides what becomes of them. */
  | { readonly kind: 'found'; readonly found: FoundDraft }
  | { readonly kind: 'open'; readonly draft: OpenDraft }

/** Reads a document and opens it; it is saved and closed when the screen is left. */
export function FoundDocument({ wanted }: { readonly wanted: DocumentAddress }) {
  const { opener, go } = useEditor()
  const step = useSignal<Step>({ kind: 'loading' })
  const tries = useSignal(0)
  const { value: tryNumber } = tries
  const end = useEnd()
  useEffect(() => {
    let isLeft = false
    const load = async () => {
      try {
        const found = await findDraft(opener(), wanted)
        if (isLeft) found.writing.release()
        else if (found.writing.entry === null) step.value = { kind: 'open', draft: openDraft(opener(), found, end) }
        else step.value = { kind: 'found', found }
      } catch (error) {
        step.value = { kind: 'failed', error }
      }
    }
    void load()
    return () => {
      isLeft = true
    }
  }, [tryNumber])
  const { value: now } = step
  if (now.kind === 'loading') return <Skeleton rows={8} />
  if (now.kind === 'failed')
    return (
      <NotFoundDocument
        wanted={wanted}
        error={now.error}
        onRetry={() => {
          tries.value += 1
        }}
      />
    )
  if (now.kind === 'found') {
    const { found } = now
    return (
      <LeftChanges
        found={found}
        onDecided={(isPutBack) => {
          const writing = isPutBack ? found.writing : { ...found.writing, entry: null }
          if (!isPutBack && found.isGone) go('/', { isReplacing: true })
          else step.value = { kind: 'open', draft: openDraft(opener(), { ...found, writing }, end) }
        }}
      />
    )
  }
  return <DocumentEditor draft={now.draft} />
}

/** Ends when the component is taken away. */
function useEnd(): AbortSignal {
  const ending = useSignal(new AbortController()).peek()
  useEffect(() => () => ending.abort(), [ending])
  return ending.signal
}
