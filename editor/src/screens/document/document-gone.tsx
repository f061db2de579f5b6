import type { OpenDraft } from '../../data/saving/open-draft.ts'
import { isStuck } from '../../data/saving/saver-state.ts'
import { plainText } from '../../model/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { note } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'

/** Says that somebody else deleted the document, or that it may not be changed any more, and keeps what was written. */
export function DocumentGone({ draft: { saver, document } }: { readonly draft: OpenDraft }) {
  const { value: state } = saver.state
  if (!isStuck(state)) return null
  const isDeleted = state.failure.name === 'notfound'
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(plainText(document.root.value.peek()))
      note(t.document.copied)
    } catch {
      note(t.document.notCopied)
    }
  }
  return (
    <div class="q-notice" role="alert">
      <p>{isDeleted ? t.document.deletedByOther : t.document.notPermitted}</p>
      <div class="q-row">
        <Button onPress={() => void copy()}>{t.document.copyText}</Button>
        <Button onPress={() => void saver.flush({ isVersion: true })}>{t.frame.tryAgain}</Button>
        {isDeleted && <Button onPress={() => location.reload()}>{t.document.makeAnewOf}</Button>}
      </div>
    </div>
  )
}
