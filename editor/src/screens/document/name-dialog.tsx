import { useSignal } from '@preact/signals'
import type { Version } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { failureOf } from '../../data/failure.ts'
import { invalidate } from '../../data/query.ts'
import type { OpenDraft } from '../../data/saving/open-draft.ts'
import { labelVersion, newestVersion } from '../../data/version-requests.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { note } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'

const MOST_CHARACTERS = 200

interface NameDialogProps {
  readonly draft: OpenDraft
  /** Null for one that is saved now. */
  readonly version: Version | null
  readonly onClose: () => void
}

/** Asks for the name of a version: of one that there is, or of what is saved with it. */
export function NameDialog({ draft, version, onClose }: NameDialogProps) {
  const editor = useEditor()
  const name = useSignal(version?.label ?? '')
  const problem = useSignal<string | null>(null)
  /** Saves the document on the screen, where something of it was not saved, and returns its version. */
  const saved = async (): Promise<string | null> => {
    const { kind } = await draft.saver.flush({ isVersion: true })
    if (kind !== 'saved') throw new Error(t.history.nameUnsaved)
    return (await newestVersion(editor, draft, new AbortController().signal))?._id ?? null
  }
  const save = async () => {
    try {
      const id = version?._id ?? (await saved())
      if (id === null) throw new Error(t.history.noVersion)
      await labelVersion(editor, id, name.value)
      await invalidate(draft.typeName)
      note(name.value.trim() === '' ? t.history.nameGone : t.history.nameSaved)
      onClose()
    } catch (error) {
      problem.value = failureOf(error).message
    }
  }
  return (
    <Dialog
      title={t.history.nameTitle}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t.frame.cancel}</Button>
          <Button kind="primary" onPress={() => void save()}>
            {t.history.nameSave}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label={t.history.nameLabel}
          value={name.value}
          help={t.history.nameHelp}
          problems={problem.value === null ? [] : [problem.value]}
          attributes={{ maxLength: MOST_CHARACTERS }}
          onInput={(value) => {
            name.value = value
          }}
        />
      </form>
    </Dialog>
  )
}
