import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import { type FromEditor, newToken, readFromPage, sent, withToken } from '../../inside/protocol.ts'
import { t } from '../../words/words.ts'
import { useDrawnStyles } from './use-drawn-styles.ts'

interface StylesFrameProps {
  readonly draft: OpenDraft
  /** Of the page, as a draft. */
  readonly url: string
}

/**
 * A page of the site with the styles as they are set, saved or not, in a frame that is a stranger here. A page without
 * the script of the editor is loaded again after each save.
 */
export function StylesFrame({ draft, url }: StylesFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const token = useMemo(() => newToken((bytes) => crypto.getRandomValues(bytes)), [])
  /** How often the page has said that it listens: once each time it is loaded. */
  const loads = useSignal(0)
  const { value: loaded } = loads
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent) => {
      const message = source === frame.current?.contentWindow ? readFromPage(data, token) : null
      if (message?.kind === 'ready') loads.value += 1
    }
    globalThis.addEventListener('message', hear)
    return () => globalThis.removeEventListener('message', hear)
  }, [token, loads])
  const tell = (message: FromEditor) => {
    // The page has no origin of its own; the token tells it who speaks.
    frame.current?.contentWindow?.postMessage(sent(message, token), '*')
  }
  const failure = useDrawnStyles(draft, loaded, tell)
  const address = withToken(url, token)
  const saved = String(draft.latest.value?.updatedAt)
  const shown = useRef(saved)
  useEffect(() => {
    const isOld = shown.current !== saved
    shown.current = saved
    if (isOld && loaded === 0) frame.current?.contentWindow?.location.replace(address)
  }, [saved, address, loaded])
  return (
    <>
      <p class="q-field-help" role="status">
        {failure === '' ? (loaded === 0 ? t.styles.mute : t.styles.shown) : t.styles.notDrawn(failure)}
      </p>
      <iframe
        ref={frame}
        class="q-preview-frame"
        title={t.styles.title}
        src={address}
        sandbox="allow-scripts allow-forms allow-popups"
      />
    </>
  )
}
