import { useSignal } from '@preact/signals'
import { Upload as UploadIcon } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { useEditor } from '../../data/editor.ts'
import { UPLOADS } from '../../ui/after-upload.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../words/words.ts'
import { UploadList } from './upload-list.tsx'
import type { ControlUploads } from './use-uploads.ts'
import './upload.css'

interface UploadZoneProps {
  readonly uploads: ControlUploads
  /** The text of the button. */
  readonly label: string
  readonly isMultiple?: boolean
  /** Why nothing can be uploaded now. */
  readonly offBecause?: string | null
  /** More buttons next to it. */
  readonly children?: ComponentChildren
}

/** Takes files by a button, by drop and by paste, and shows how far they are. What it takes is said before. */
export function UploadZone({ uploads, label, isMultiple = false, offBecause = null, children }: UploadZoneProps) {
  const { limits } = useEditor().schema.value.site
  const input = useRef<HTMLInputElement>(null)
  const isOver = useSignal(false)
  const id = useId()
  const take = (files: FileList | null | undefined): boolean => {
    if (!files || files.length === 0 || offBecause !== null) return false
    uploads.send(isMultiple ? files : [...files].slice(0, 1))
    return true
  }
  return (
    <section
      class={isOver.value ? 'q-upload q-upload--over' : 'q-upload'}
      aria-label={label}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        isOver.value = true
      }}
      onDragLeave={() => {
        isOver.value = false
      }}
      onDrop={(event) => {
        isOver.value = false
        if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
        take(event.dataTransfer?.files)
      }}
      onPaste={(event) => {
        if (take(event.clipboardData?.files)) event.preventDefault()
      }}
    >
      <div class="q-row">
        <Button
          offBecause={offBecause}
          onPress={() => input.current?.click()}
          attributes={{ ...UPLOADS, 'aria-describedby': `${id}-takes` }}
        >
          <Icon of={UploadIcon} /> {label}
        </Button>
        {children}
        <small id={`${id}-takes`} class="q-upload-takes">
          {t.upload.drop} · {t.upload.takes(uploads.extensions, limits.uploadBytes)}
        </small>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        multiple={isMultiple}
        accept={uploads.extensions.map((extension) => `.${extension}`).join(',')}
        onChange={({ currentTarget }) => {
          take(currentTarget.files)
          currentTarget.value = ''
        }}
      />
      <UploadList uploads={uploads} />
    </section>
  )
}
