import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useEditor } from '../../../data/editor.ts'
import { invalidate } from '../../../data/query.ts'
import { checkTranslation, type ImportReport, importTranslation } from '../../../data/translation.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { t } from '../../../words/words.ts'
import { LoadFailure } from '../load-failure.tsx'
import { Report } from './report.tsx'
import { useTask } from './use-task.ts'
import './translation.css'

interface ImportDialogProps {
  /** The types whose lists may change. */
  readonly types: readonly string[]
  readonly onClose: () => void
}

/** Takes a file of a translator: first it says what the file would change, then it imports it. */
export function ImportDialog({ types, onClose }: ImportDialogProps) {
  const editor = useEditor()
  const file = useSignal<File | null>(null)
  const isImporting = useSignal(false)
  const { run, reset, step } = useTask<ImportReport>()
  const { value: now } = step
  const report = now.kind === 'done' ? now.result : null
  const check = () => {
    isImporting.value = false
    return run((signal) => checkTranslation(editor, file.peek() ?? new File([], ''), signal))
  }
  const importNow = (checked: ImportReport) => {
    isImporting.value = true
    return run(async () => {
      const done = await importTranslation(editor, file.peek() ?? new File([], ''), checked)
      for (const name of types) await invalidate(name)
      return done
    })
  }
  const startAgain = (chosen: File | null) => {
    file.value = chosen
    isImporting.value = false
    reset()
  }
  return (
    <Dialog
      title={t.translation.importTitle}
      size="large"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{report && !report.isCheck ? t.frame.close : t.frame.cancel}</Button>
          {report && !report.isCheck && <Button onPress={() => startAgain(null)}>{t.translation.another}</Button>}
          {report?.isCheck && (
            <Button
              kind="primary"
              offBecause={report.documents === 0 ? t.translation.nothingToImport : null}
              onPress={() => void importNow(report)}
            >
              {t.translation.importNow}
            </Button>
          )}
          {!report && (
            <Button
              kind="primary"
              offBecause={file.value === null ? t.translation.chooseFile : null}
              onPress={() => void check()}
            >
              {t.translation.check}
            </Button>
          )}
        </>
      }
    >
      <div class="q-translation">
        {(report === null || report.isCheck) && <FileBox onChoose={startAgain} />}
        <p role="status">{statusOf(now.kind, { report, isImporting: isImporting.value })}</p>
        {now.kind === 'failed' && <LoadFailure error={now.error} />}
        {report && <Report report={report} />}
      </div>
    </Dialog>
  )
}

interface Standing {
  readonly report: ImportReport | null
  readonly isImporting: boolean
}

function statusOf(kind: string, { report, isImporting }: Standing): string {
  if (kind === 'busy') return isImporting ? t.translation.importing : t.translation.checking
  return report?.isCheck ? t.translation.checked : ''
}

function FileBox({ onChoose }: { readonly onChoose: (file: File | null) => void }) {
  const id = useId()
  return (
    <p class="q-translation-file">
      <label for={id}>{t.translation.file}</label>
      <input
        id={id}
        type="file"
        accept=".xlf,.xliff"
        onChange={({ currentTarget }) => onChoose(currentTarget.files?.[0] ?? null)}
      />
    </p>
  )
}
