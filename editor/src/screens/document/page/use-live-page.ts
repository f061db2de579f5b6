import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useEditor } from '../../../data/editor.ts'
import { drawBlock, isHere, readPage } from '../../../data/page-drawing.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import type { FromPage, Mark } from '../../../inside/protocol.ts'
import { drawnFrom, labelsOf } from '../../../model/page-parts.ts'
import { t } from '../../../words/words.ts'
import { type Follower, followForm } from './follow-form.ts'
import { useFocusShown } from './use-focus-shown.ts'
import { type FramedPage, useFramedPage } from './use-framed-page.ts'
import { usePageWishes } from './use-page-wishes.ts'

interface LivePlace {
  readonly url: string
  readonly isDraft: boolean
}

/** The page of a document in a frame, which does at the form what is done there, and shows what is written. */
export function useLivePage(draft: OpenDraft, { url, isDraft }: LivePlace): FramedPage {
  const editor = useEditor()
  const follower = useRef<Follower | null>(null)
  const canRefresh = useRef(false)
  const starts = useSignal(0)
  const wishes = usePageWishes(draft)
  const address = useRef(url)
  address.current = url
  const isOurs = isHere(url)
  // Until the page fails at it, or a front end elsewhere lets nobody read it: then it is loaded again after each save.
  const canPatch = useRef(true)
  const wish = (message: Extract<FromPage, { readonly mark: Mark }>) => {
    if (message.kind === 'select') wishes.open(message.mark)
    else wishes.ask(message.mark, message.wish)
  }
  const giveUp = () => {
    canPatch.current = false
    page.reload()
  }
  const hear = (message: FromPage) => {
    if (message.kind === 'leave' && page.hasFocus()) focus.back()
    if ('mark' in message && page.hasFocus() && navigator.userActivation.isActive) wish(message)
    if (message.kind === 'failed' && canPatch.current) giveUp()
    if (message.kind !== 'ready') return
    canRefresh.current = message.canRefresh && canPatch.current
    starts.value += 1
    follower.current?.begin()
    focus.show()
  }
  const page: FramedPage = useFramedPage(url, hear)
  const focus = useFocusShown(draft, page)
  useEffect(() => {
    if (!isDraft) return
    const end = new AbortController()
    const { document, latest, typeName } = draft
    follower.current = followForm(
      draft,
      {
        ...page,
        showsSaved: () => canRefresh.current && !isOurs,
        draw: async (block, signal) => {
          if (!isOurs) return null
          const of = drawnFrom(editor.schema.peek(), typeName, document.root, block)
          return drawBlock(editor, { ...of, _docId: latest.peek()?._id ?? null }, signal)
        },
        read: async (signal) => {
          const answer = await readPage(editor, `${address.current}&aposRefresh=1`, signal)
          canPatch.current &&= isOurs || answer.status !== 0 || signal.aborted
          return answer
        },
      },
      end.signal,
    )
    return () => {
      end.abort()
      follower.current = null
      canRefresh.current = false
    }
  }, [draft, isDraft, isOurs])
  useSignalEffect(() => {
    const { document, latest } = draft
    if (starts.value === 0) return
    const { moveUp: up, moveDown: down, remove } = t.blocks
    const labels = labelsOf(document.root, String(latest.value?._id), editor.schema.value)
    page.send({ kind: 'start', words: { edit: t.page.edit, add: t.page.add, up, down, remove }, labels })
  })
  useSaved(draft, isDraft, page, () => {
    if (canRefresh.current && follower.current) follower.current.refresh()
    else page.reload()
  })
  const reload = () => {
    canPatch.current = true
    page.reload()
  }
  return { ...page, reload }
}

/** Renews a page after each save that it shows, and where the other copy is wanted; one that is not there yet, once it is. */
function useSaved({ latest }: OpenDraft, isDraft: boolean, { state }: FramedPage, renew: () => void): void {
  const { updatedAt, lastPublishedAt } = latest.value ?? {}
  const version = isDraft ? `draft ${updatedAt} ${lastPublishedAt}` : `published ${lastPublishedAt}`
  const shown = useRef(version)
  const isThere = state.value !== 'loading' && state.value !== 'unreachable'
  useEffect(() => {
    if (shown.current === version || !isThere) return
    shown.current = version
    renew()
  }, [version, isThere])
}
