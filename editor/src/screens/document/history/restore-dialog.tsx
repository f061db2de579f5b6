import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Changes, Version } from 'quire-client'
import { useEditor } from '../../../data/editor.ts'
import { failureOf } from '../../../data/failure.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { type NotRestored, newestVersion, readChanges, restoreVersion } from '../../../data/version-requests.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { note } from '../../../ui/toast.tsx'
import { t } from '../../../words/words.ts'
import { ChangeList } from '../../parts/changes/change-list.tsx'
import { LostValues } from './lost-values.tsx'

interface RestoreDialogProps {
  readonly version: Version
  readonly draft: OpenDraft
  readonly onClose: () => void
}

type Step =
  | { readonly kind: 'asking' }
  /** Changes here wait for a decision, or could not be stored. */
  | { readonly kind: 'unsaved' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'preview'; readonly changes: Changes | null }
  | { readonly kind: 'restored'; readonly lost: readonly NotRestored[] }

/** Shows what restoring a version will change, restores it, and shows what could not be restored. */
export function RestoreDialog({ version, draft, onClose }: RestoreDialogProps) {
  const editor = useEditor()
  const step = useSignal<Step>({ kind: 'asking' })
  const attempt = async (work: () => Promise<Step>) => {
    try {
      step.value = await work()
    } catch (error) {
      step.value = { kind: 'failed', message: failureOf(error).message }
    }
  }
  const ask = async (): Promise<Step> => {
    const { kind } = await draft.saver.flush()
    if (kind !== 'saved') return { kind: 'unsaved' }
    const { signal } = new AbortController()
    const newest = await newestVersion(editor, draft, signal)
    const isNewest = newest === null || newest._id === version._id
    return {
      kind: 'preview',
      changes: isNewest ? null : await readChanges(editor, version._id, { against: newest._id, signal }),
    }
  }
  const restore = async (): Promise<Step> => {
    const lost = await restoreVersion(editor, draft, version._id)
    if (lost.length === 0) onClose()
    note(t.history.restored)
    return { kind: 'restored', lost }
  }
  useEffect(() => void attempt(ask), [])
  const { value: now } = step
  const isReady = now.kind === 'preview' && now.changes !== null && now.changes.rows.length > 0
  return (
    <Dialog
      title={t.history.restoreTitle}
      size="large"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{isReady ? t.frame.cancel : t.frame.close}</Button>
          {isReady && (
            <Button kind="primary" onPress={() => void attempt(restore)}>
              {t.history.restoreNow}
            </Button>
          )}
        </>
      }
    >
      <StepContent step={now} draft={draft} />
    </Dialog>
  )
}

function StepContent({ step, draft }: { readonly step: Step; readonly draft: OpenDraft }) {
  switch (step.kind) {
    case 'asking':
      return <Skeleton rows={4} />
    case 'unsaved':
      return <p role="alert">{t.history.unsaved}</p>
    case 'failed':
      return <Failure message={step.message} />
    case 'restored':
      return <LostValues lost={step.lost} draft={draft} />
    case 'preview':
      if (step.changes === null || step.changes.rows.length === 0) return <p>{t.history.restoreIsNow}</p>
      return (
        <>
          <p>
            {t.history.restoreWill} {!draft.savesItself && t.history.restoreLive}
          </p>
          <ChangeList rows={step.changes.rows} />
        </>
      )
  }
}
