import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { listPath } from '../../data/document-path.ts'
import { useEditor } from '../../data/editor.ts'
import type { OpenDraft } from '../../data/open-draft.ts'
import { Button } from '../../ui/button.tsx'
import { stateOf } from '../../ui/state-mark.tsx'
import { t } from '../../words/words.ts'

/**
 * The page of a document as a draft, in a frame that is a stranger here: what runs in it reaches nothing of the editor.
 * It is loaded again after each save.
 */
export function Preview({ draft }: { readonly draft: OpenDraft }) {
  const { locale, place } = useEditor()
  const isShown = useSignal(true)
  const frame = useRef<HTMLIFrameElement>(null)
  const { value: document } = draft.latest
  const url = addressOf(document?._url, draft.type.localized ? locale.value : null)
  const version = `${document?.updatedAt} ${document?.lastPublishedAt}`
  const loaded = useRef({ url, version })
  useEffect(() => {
    const isLoaded = loaded.current.url === url && loaded.current.version === version
    loaded.current = { url, version }
    // A new `src` would be a step of the browser's history: Back would only go back in the frame.
    if (!isLoaded && url !== null) frame.current?.contentWindow?.location.replace(url)
  }, [url, version])
  // Of pictures and files the form shows what there is; their address is that of the file.
  const isMedia = listPath(draft.typeName, draft.type, place.namespace).startsWith('/media/')
  if (url === null || isMedia) return null
  return (
    <aside class="q-preview" aria-label={t.document.page}>
      <div class="q-row">
        <Button
          onPress={() => {
            isShown.value = !isShown.value
          }}
        >
          {isShown.value ? t.document.hidePage : t.document.showPage}
        </Button>
        <a href={url} target="_blank" rel="noopener">
          {t.document.openPage}
        </a>
        {document !== null && stateOf(document) === 'published' && (
          <a href={String(document._url)} target="_blank" rel="noopener">
            {t.publishing.view}
          </a>
        )}
      </div>
      {isShown.value && (
        <iframe
          ref={frame}
          class="q-preview-frame"
          title={t.document.page}
          src={url}
          sandbox="allow-scripts allow-forms allow-popups"
        />
      )}
    </aside>
  )
}

/** The public address, as a draft; null where the document has no page here. */
function addressOf(given: unknown, locale: string | null): string | null {
  if (typeof given !== 'string' || given === '') return null
  const url = new URL(given, globalThis.location.href)
  if (url.origin !== globalThis.location.origin) return null
  url.searchParams.set('aposMode', 'draft')
  if (locale !== null) url.searchParams.set('aposLocale', locale)
  // Whole: a path may begin with two slashes, and would name another site.
  return url.href
}
