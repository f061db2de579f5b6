import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useEditor } from '../../data/editor.ts'
import type { Left } from '../../data/saving/journal.ts'
import { t } from '../../words/words.ts'
import { LeftList } from '../parts/left-list.tsx'

const LOOK_MS = 2000

/** Documents with changes that are on this device only; nothing where there are none. */
export function LeftCard() {
  const { opener } = useEditor()
  const left = useSignal<readonly Left[]>([])
  useEffect(() => {
    const { journal, schema } = opener()
    let timer = 0
    let isLeft = false
    // Text left a moment ago may be on its way.
    const look = async () => {
      const found = await journal.listOf(schema.caller._id)
      if (isLeft) return
      left.value = found
      if (found.length > 0) timer = window.setTimeout(look, LOOK_MS)
    }
    void look()
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [])
  if (left.value.length === 0) return null
  return (
    <section class="q-card" aria-label={t.home.onDevice}>
      <h2>{t.home.onDevice}</h2>
      <LeftList left={left.value} />
    </section>
  )
}
