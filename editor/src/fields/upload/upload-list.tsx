import { useEditor } from '../../data/editor.ts'
import type { Upload } from '../../data/uploads/uploads.ts'
import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import type { ControlUploads } from './use-uploads.ts'

/** Files on their way, and those that did not arrive, with the reason. */
export function UploadList({ uploads }: { readonly uploads: ControlUploads }) {
  return (
    <>
      {uploads.all.value.length > 0 && (
        <ul class="q-upload-list">
          {uploads.all.value.map((upload) => (
            <UploadRow key={upload.id} upload={upload} uploads={uploads} />
          ))}
        </ul>
      )}
      <p aria-live="polite" class="q-field-problems">
        {uploads.problem}
      </p>
    </>
  )
}

function UploadRow({ upload, uploads }: { readonly upload: Upload; readonly uploads: ControlUploads }) {
  const { limits } = useEditor().schema.value.site
  const { name } = upload.file
  const state = upload.state.value
  switch (state.kind) {
    case 'waiting':
      return (
        <li class="q-row">
          {t.upload.waiting(name)} <CancelButton upload={upload} />
        </li>
      )
    case 'done':
    case 'sending':
      return (
        <li class="q-row">
          <span>{t.upload.progress(name)}</span>
          <progress
            aria-label={t.upload.progress(name)}
            max={state.kind === 'sending' ? state.total : 1}
            value={state.kind === 'sending' ? state.sent : 1}
          />
          {state.kind === 'sending' && <CancelButton upload={upload} />}
        </li>
      )
    case 'refused': {
      const words =
        state.reason === 'kind'
          ? t.upload.wrongKind(name, uploads.extensions)
          : t.upload.tooLarge(name, limits.uploadBytes)
      return (
        <li class="q-row">
          <span role="alert">{words}</span>
          <Button onPress={() => uploads.dismiss(upload)}>{t.upload.dismiss}</Button>
        </li>
      )
    }
    case 'failed':
    case 'cancelled':
      return (
        <li class="q-row">
          <span role="alert">
            {state.kind === 'failed' ? t.upload.failed(name, state.failure.message) : t.upload.cancelled(name)}
          </span>
          <Button onPress={() => uploads.again(upload)}>{t.upload.again}</Button>
          <Button onPress={() => uploads.dismiss(upload)}>{t.upload.dismiss}</Button>
        </li>
      )
  }
}

function CancelButton({ upload }: { readonly upload: Upload }) {
  return <Button onPress={upload.cancel}>{t.upload.cancel(upload.file.name)}</Button>
}
