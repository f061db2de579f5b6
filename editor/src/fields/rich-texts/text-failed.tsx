import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'

/** Says that what edits texts could not be loaded, and leads on. */
export function TextFailed({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <div role="alert" class="q-failure">
      <p>{t.blocks.textFailed}</p>
      <span class="q-row">
        <Button onPress={onRetry}>{t.frame.tryAgain}</Button>
        <Button onPress={() => location.reload()}>{t.frame.reload}</Button>
      </span>
    </div>
  )
}
