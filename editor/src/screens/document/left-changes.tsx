import { useEditor } from '../../data/editor.ts'
import type { FoundDraft } from '../../data/saving/open-draft.ts'
import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import { ScreenTitle } from '../parts/screen-title.tsx'
import { When } from '../parts/when.tsx'

interface LeftChangesProps {
  readonly found: FoundDraft
  readonly onDecided: (isPutBack: boolean) => void
}

/** Asks what becomes of changes that were left on this device. */
export function LeftChanges({ found, onDecided }: LeftChangesProps) {
  const { opener } = useEditor()
  const { place, writing, stored, type, isGone } = found
  const { entry, writer } = writing
  const title = String((stored?.document ?? found.initial).title || t.document.newOf(type.label))
  const throwAway = async () => {
    await opener().journal.drop(place, writer)
    onDecided(false)
  }
  return (
    <>
      <ScreenTitle title={title} />
      <div class="q-notice" role="alert">
        <p>
          {isGone ? t.document.leftOfGone : t.document.left}{' '}
          {entry && <When time={new Date(entry.time).toISOString()} />}
        </p>
        <div class="q-row">
          <Button kind="primary" onPress={() => onDecided(true)}>
            {isGone ? t.document.makeAnew : t.document.putBack}
          </Button>
          <Button kind="danger" onPress={() => void throwAway()}>
            {t.document.throwAway}
          </Button>
        </div>
      </div>
    </>
  )
}
