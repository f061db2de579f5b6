import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useEditor } from '../data/editor.ts'
import { failureOf } from '../data/failure.ts'
import type { Left } from '../data/saving/journal.ts'
import type { Session } from '../data/session.ts'
import { LeftList } from '../screens/parts/left-list.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { note } from '../ui/toast.tsx'
import { t } from '../words/words.ts'

const PATIENCE_MS = 4000
const LOOK_MS = 200

interface SignOutProps {
  readonly session: Session
  readonly onStay: () => void
}

/** Leaves the open document, so that it is saved, and signs out; asks where something is only on this device. */
export function SignOut({ session, onStay }: SignOutProps) {
  const { opener, go } = useEditor()
  const left = useSignal<readonly Left[] | null>(null)
  const { journal, schema } = opener()
  const start = async () => {
    go('/')
    const remaining = await remains(() => journal.listOf(schema.caller._id))
    if (remaining.length === 0) await leave()
    else left.value = remaining
  }
  const leave = async () => {
    try {
      await session.signOut()
    } catch (error) {
      note(failureOf(error).message)
      onStay()
    }
  }
  useEffect(() => void start(), [])
  if (left.value === null) return null
  return (
    <Dialog
      title={t.frame.signOut}
      onClose={onStay}
      actions={
        <>
          <Button onPress={onStay}>{t.frame.stay}</Button>
          <Button
            kind="danger"
            onPress={async () => {
              await journal.wipe(schema.caller._id)
              await leave()
            }}
          >
            {t.frame.throwAwayAndSignOut}
          </Button>
        </>
      }
    >
      <p>{t.frame.onDeviceOnly(left.value.length)}</p>
      <LeftList left={left.value} onChosen={onStay} />
    </Dialog>
  )
}

/** The entries that the journal still has once pending saves have finished, or after a while. */
async function remains(list: () => Promise<readonly Left[]>): Promise<readonly Left[]> {
  for (const end = Date.now() + PATIENCE_MS; ; await new Promise((resolve) => setTimeout(resolve, LOOK_MS))) {
    const found = await list()
    if (found.length === 0 || Date.now() > end) return found
  }
}
