import { useEditor } from '../../data/editor.ts'
import { isUnderWay, type MediaState, type MediaUpload } from '../../data/uploads/media-uploads.ts'
import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'

interface UploadRowProps {
  readonly upload: MediaUpload
  readonly extensions: readonly string[]
}

/** One file on its way: how far it is, or why it was not taken. */
export function UploadRow({ upload, extensions }: UploadRowProps) {
  const { limits } = useEditor().schema.value.site
  const { file } = upload
  const { value: state } = upload.state
  const isWrong = state.kind === 'failed' || state.kind === 'refused'
  return (
    <li class="q-upload">
      <span class="q-upload-name">{file.name}</span>
      {state.kind === 'sending' && (
        <progress aria-label={t.upload.progress(file.name)} value={state.sent} max={Math.max(1, state.total)} />
      )}
      <span class={isWrong ? 'q-upload-state q-upload-state--wrong' : 'q-upload-state'}>
        {wordsOf(state, extensions, limits.uploadBytes)}
      </span>
      {isUnderWay(state) && state.kind !== 'making' && (
        <Button kind="quiet" label={t.upload.cancel(file.name)} onPress={upload.cancel}>
          {t.frame.cancel}
        </Button>
      )}
      {(state.kind === 'failed' || state.kind === 'cancelled') && (
        <Button kind="quiet" label={t.media.againOf(file.name)} onPress={upload.again}>
          {t.frame.tryAgain}
        </Button>
      )}
    </li>
  )
}

function wordsOf(state: MediaState, extensions: readonly string[], most: number): string {
  switch (state.kind) {
    case 'sending':
      return t.media.sent(t.upload.size(state.sent), t.upload.size(state.total))
    case 'failed':
      return state.failure.name === 'offline' ? t.media.noConnection : state.failure.message
    case 'refused':
      return state.reason === 'kind' ? t.media.wrongKind(extensions) : t.media.tooLarge(t.upload.size(most))
    default:
      return t.media[state.kind]
  }
}
