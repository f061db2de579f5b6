import { effect, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { JsonObject } from 'quire-client'
import { machineClock } from '../../base/clock.ts'
import { createDelay } from '../../base/delay.ts'
import { useEditor } from '../../data/editor.ts'
import { failureOf } from '../../data/failure.ts'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import { createStylesDrawing } from '../../data/styles-drawing.ts'
import type { FromEditor } from '../../inside/protocol.ts'
import { stylesIn } from '../../model/style-fields.ts'

/** While somebody types, or draws a slider, not each step is asked for. */
const PAUSE = { quiet: 50, latest: 150 }

/**
 * Draws the styles of a draft in a page that listens, again whenever a value changes, and each time the page was loaded
 * (`loads`; 0: it does not listen). Why they could not be drawn; empty where they are.
 */
export function useDrawnStyles(draft: OpenDraft, loads: number, tell: (message: FromEditor) => void): string {
  const editor = useEditor()
  const failure = useSignal('')
  useEffect(() => {
    if (loads === 0) return
    const end = new AbortController()
    const draw = createStylesDrawing(editor)
    let latest = new AbortController()
    let replaced: readonly string[] | null = null
    const show = async (values: JsonObject, { signal }: AbortController) => {
      try {
        // The page was loaded with what is stored: its classes are the first that go.
        replaced ??= (await draw(stylesIn(draft.type, draft.latest.peek() ?? values), end.signal)).classes
        const { css, classes } = await draw(values, signal)
        if (signal.aborted) return
        tell({ kind: 'styles', css, classes, replaced })
        replaced = classes
        failure.value = ''
      } catch (error) {
        if (!signal.aborted && !end.signal.aborted) failure.value = failureOf(error).message
      }
    }
    const delay = createDelay(machineClock, PAUSE, () => {
      latest.abort()
      latest = new AbortController()
      void show(stylesIn(draft.type, draft.document.root.value.peek()), latest)
    })
    const stop = effect(() => {
      void draft.document.root.value.value
      delay.touch()
    })
    return () => {
      stop()
      delay.cancel()
      latest.abort()
      end.abort()
    }
  }, [draft, loads])
  return failure.value
}
