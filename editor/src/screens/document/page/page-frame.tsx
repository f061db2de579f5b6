import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../../words/words.ts'
import type { FramedPage } from './use-framed-page.ts'

interface PageFrameProps {
  readonly page: FramedPage
  /** CSS pixels of the page; null for all that there are. */
  readonly width: number | null
}

/** The frame of a page, drawn smaller where there is less room than its width. */
export function PageFrame({ page: { frame, src, state, onLoad }, width }: PageFrameProps) {
  const place = useRef<HTMLDivElement>(null)
  const room = useSignal(0)
  useEffect(() => {
    const sizes = new ResizeObserver(([entry]) => {
      room.value = entry?.contentRect.width ?? 0
    })
    if (place.current) sizes.observe(place.current)
    return () => sizes.disconnect()
  }, [])
  const scale = width === null || room.value === 0 ? 1 : Math.min(1, room.value / width)
  return (
    <div ref={place} class="q-page-place" hidden={state.value === 'unreachable'}>
      <iframe
        // Another element for each loading: a new address in the same one would be a step of the browser's history.
        key={src}
        ref={frame}
        class={state.value === 'loading' ? 'q-page-frame q-page-frame--loading' : 'q-page-frame'}
        title={t.page.title}
        src={src}
        sandbox="allow-scripts allow-forms allow-popups"
        onLoad={onLoad}
        style={{
          inlineSize: width === null ? '100%' : `${width}px`,
          blockSize: `${100 / scale}%`,
          scale: String(scale),
        }}
      />
    </div>
  )
}
