import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useEditor } from '../../data/editor.ts'
import { t } from '../../words/words.ts'
import './screen-title.css'

let isFirst = true

interface ScreenTitleProps {
  readonly title: string
  /** Next to the title: actions for the whole screen. */
  readonly children?: ComponentChildren
}

/** The one `h1` of a screen. It gets the focus when the screen changes, and names the page. */
export function ScreenTitle({ title, children }: ScreenTitleProps) {
  const { place } = useEditor()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [])
  useEffect(() => {
    document.title = t.frame.titleOf(title, place.title)
  }, [title, place.title])
  return (
    <div class="q-screen-title">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children && <div class="q-screen-title-actions">{children}</div>}
    </div>
  )
}
