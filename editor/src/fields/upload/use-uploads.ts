import { type ReadonlySignal, signal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import type { JsonObject } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { failureOf } from '../../data/failure.ts'
import { sendFileOf } from '../../data/uploads/upload-file.ts'
import { createUploads, type Upload } from '../../data/uploads/uploads.ts'
import { announce } from '../../ui/live.tsx'
import { t } from '../../words/words.ts'

/** The uploads of one control. */
export interface ControlUploads {
  /** Uploads that are under way, or failed. */
  readonly all: ReadonlySignal<readonly Upload[]>
  /** The problem after a file was uploaded; empty for none. */
  readonly problem: ReadonlySignal<string>
  /** The extensions that it takes, without dots. */
  readonly extensions: readonly string[]
  send(files: Iterable<File>): void
  again(upload: Upload): void
  dismiss(upload: Upload): void
}

/** Uploads of files with some extensions; what is done is handed over, and is no upload any more. */
export function useUploads(extensions: readonly string[], onDone: (attachment: JsonObject) => unknown): ControlUploads {
  const editor = useEditor()
  const done = useRef(onDone)
  done.current = onDone
  return useMemo(() => {
    const uploads = createUploads(sendFileOf(editor), editor.schema.value.site)
    const problem = signal('')
    const follow = async (upload: Upload) => {
      const ended = await upload.ended
      if (ended.kind !== 'done') return
      try {
        await done.current(ended.attachment)
        announce(t.upload.done(upload.file.name))
      } catch (error) {
        problem.value = t.upload.failed(upload.file.name, failureOf(error).message)
      }
      uploads.takeOut(upload)
    }
    return {
      all: uploads.all,
      problem,
      extensions,
      send: (files) => {
        problem.value = ''
        for (const file of files) void follow(uploads.add(file, extensions))
      },
      again: (upload) => void follow(upload.again()),
      dismiss: uploads.takeOut,
    }
  }, [])
}
