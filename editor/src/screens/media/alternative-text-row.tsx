import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import type { JsonObject } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { failureOf } from '../../data/failure.ts'
import { saveAlternative } from '../../data/related.ts'
import { focusAfterUpload } from '../../ui/after-upload.ts'
import { Input } from '../../ui/input.tsx'
import { t } from '../../words/words.ts'
import { titleOf } from '../parts/list/row.ts'
import { fileOf } from './media-file.ts'

/** A picture that was just uploaded, and its alternative text, which is saved when the field is left. */
export function AlternativeTextRow({ image }: { readonly image: JsonObject }) {
  const editor = useEditor()
  const id = useId()
  const saved = useSignal(String(image.alt ?? ''))
  const answer = useSignal<{ readonly isFailure: boolean; readonly words: string } | null>(null)
  const save = async (alt: string) => {
    if (alt === saved.value) return
    answer.value = { isFailure: false, words: t.document.saving }
    try {
      await saveAlternative(editor, String(image.aposDocId), alt)
      saved.value = alt
      answer.value = { isFailure: false, words: t.media.saved }
    } catch (error) {
      answer.value = { isFailure: true, words: t.document.notSaved(failureOf(error).message) }
    }
  }
  useEffect(() => focusAfterUpload(document.getElementById(id)), [id])
  const title = titleOf(image)
  return (
    <li class="q-alt">
      <img src={fileOf(image).thumbnail ?? undefined} alt="" loading="lazy" />
      <div class="q-alt-field">
        <label for={id}>{t.media.alternativeTextOf(title)}</label>
        <Input
          id={id}
          type="text"
          defaultValue={saved.peek()}
          aria-describedby={`${id}-state`}
          onChange={({ currentTarget }) => void save(currentTarget.value.trim())}
        />
        <span
          id={`${id}-state`}
          role="status"
          class={answer.value?.isFailure ? 'q-alt-state q-alt-state--failed' : 'q-alt-state'}
        >
          {answer.value?.words}
        </span>
      </div>
    </li>
  )
}
