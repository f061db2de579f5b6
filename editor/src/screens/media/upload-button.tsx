import { Upload } from 'lucide'
import { useRef } from 'preact/hooks'
import { UPLOADS } from '../../ui/after-upload.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../words/words.ts'

interface UploadButtonProps {
  /** Of the files that are offered; without the dot. */
  readonly extensions: readonly string[]
  readonly onFiles: (files: Iterable<File>) => void
  readonly offBecause: string | null
}

/** Lets files of the device be chosen, several at once. */
export function UploadButton({ extensions, onFiles, offBecause }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button kind="primary" offBecause={offBecause} onPress={() => input.current?.click()} attributes={UPLOADS}>
        <Icon of={Upload} /> {t.upload.upload}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={extensions.map((extension) => `.${extension}`).join(',')}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </>
  )
}
