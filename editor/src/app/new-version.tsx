import { isOutdated } from '../data/build.ts'
import { Button } from '../ui/button.tsx'
import { t } from '../words/words.ts'

/** Says that the service serves another build of the editor; what is not saved is on this device when the page is loaded again. */
export function NewVersion() {
  if (!isOutdated.value) return null
  return (
    <div role="alert" class="q-new-version">
      <span>{t.frame.newVersion}</span>
      <Button onPress={() => location.reload()}>{t.frame.reload}</Button>
    </div>
  )
}
