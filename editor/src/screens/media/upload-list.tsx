import { useEffect } from 'preact/hooks'
import { isUnderWay, type MediaUploads } from '../../data/uploads/media-uploads.ts'
import { Button } from '../../ui/button.tsx'
import { announce } from '../../ui/live.tsx'
import { t } from '../../words/words.ts'
import { UploadRow } from './upload-row.tsx'
import './upload-list.css'

interface UploadListProps {
  readonly uploads: MediaUploads
  readonly typeName: string
  /** The extensions that the library takes; without the dot. */
  readonly extensions: readonly string[]
}

/** The uploads into a library, and their outcomes. */
export function UploadList({ uploads, typeName, extensions }: UploadListProps) {
  const all = uploads.all.value.filter((one) => one.typeName === typeName)
  const waiting = all.filter(({ state }) => isUnderWay(state.value)).length
  const made = all.filter(({ state }) => state.value.kind === 'made').length
  const said = waiting > 0 ? t.media.uploading(all.length - waiting, all.length) : t.media.uploaded(made)
  useEffect(() => {
    if (all.length > 0 && waiting === 0) announce(said)
  }, [all.length, waiting])
  if (all.length === 0) return null
  return (
    <section class="q-uploads" aria-label={t.media.uploads}>
      <div class="q-uploads-head">
        <h2>{said}</h2>
        {waiting === 0 && <Button onPress={uploads.clear}>{t.media.clear}</Button>}
      </div>
      <ul>
        {all.map((upload) => (
          <UploadRow key={upload.id} upload={upload} extensions={extensions} />
        ))}
      </ul>
    </section>
  )
}
