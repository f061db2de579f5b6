import { useSignal } from '@preact/signals'
import type { Version } from 'quire-client'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { Button } from '../../../ui/button.tsx'
import { t } from '../../../words/words.ts'
import { NameDialog } from '../name-dialog.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { WholeDocument } from './whole-document.tsx'

interface VersionActionsProps {
  readonly version: Version
  readonly draft: OpenDraft
  readonly name: string
}

type DialogName = 'whole' | 'name' | 'restore'

/** Actions on a version as a whole. */
export function VersionActions({ version, draft, name }: VersionActionsProps) {
  const shown = useSignal<DialogName | null>(null)
  const close = () => {
    shown.value = null
  }
  const open = (which: DialogName) => () => {
    shown.value = which
  }
  const { editDraft } = draft.type.denied
  return (
    <div class="q-row">
      <Button onPress={open('whole')}>{t.history.whole}</Button>
      <Button onPress={open('name')}>{t.history.name}</Button>
      <Button onPress={open('restore')} offBecause={editDraft === undefined ? null : t.roles.reason(editDraft)}>
        {t.history.restore}
      </Button>
      {shown.value === 'whole' && <WholeDocument version={version} draft={draft} name={name} onClose={close} />}
      {shown.value === 'name' && <NameDialog draft={draft} version={version} onClose={close} />}
      {shown.value === 'restore' && <RestoreDialog version={version} draft={draft} onClose={close} />}
    </div>
  )
}
