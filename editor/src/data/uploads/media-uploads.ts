import { effect, type ReadonlySignal, signal } from '@preact/signals-core'
import type { JsonObject, Schema } from 'quire-client'
import { fileTitle } from '../../base/file-title.ts'
import { newId } from '../../base/ids.ts'
import { failureOf } from '../failure.ts'
import { createUploads, type SendFile, type Upload, type UploadState } from './uploads.ts'

/** A file on its way into the library. */
export type MediaState =
  | Exclude<UploadState, { readonly kind: 'done' }>
  /** The file is there, and its document is being made. */
  | { readonly kind: 'making' }
  | { readonly kind: 'made'; readonly document: JsonObject }

export interface MediaUpload {
  readonly id: string
  readonly file: File
  /** The type of the document that it becomes. */
  readonly typeName: string
  readonly state: ReadonlySignal<MediaState>
  cancel(): void
  /** Goes on with what failed or was cancelled. */
  again(): void
}

/** A library that takes uploads. */
export interface Library {
  readonly typeName: string
  /** Without the dot. */
  readonly extensions: readonly string[]
}

export interface MediaUploads {
  /** The uploads in the order in which they were added, until each is taken out. */
  readonly all: ReadonlySignal<readonly MediaUpload[]>
  add(file: File, library: Library): void
  /** Takes out what is not under way any more. */
  clear(): void
}

interface Service {
  readonly send: SendFile
  /** Makes a document; the same `key` never makes two. */
  readonly make: (typeName: string, body: JsonObject, key: string) => Promise<JsonObject>
}

/** Uploads files, and makes an image or a file of each. */
export function createMediaUploads(
  { send, make }: Service,
  site: Pick<Schema['site'], 'fileGroups' | 'limits'>,
): MediaUploads {
  const uploads = createUploads(send, site)
  const all = signal<readonly MediaUpload[]>([])

  const add = (file: File, { typeName, extensions }: Library) => {
    const state = signal<MediaState>({ kind: 'waiting' })
    const id = newId()
    let upload: Upload
    const follow = async (next: Upload) => {
      upload = next
      const stop = effect(() => {
        const { value: now } = next.state
        if (now.kind !== 'done') state.value = now
      })
      const last = await next.ended
      stop()
      if (last.kind === 'done') await finish(last.attachment)
    }
    const finish = async (attachment: JsonObject) => {
      state.value = { kind: 'making' }
      try {
        const document = await make(typeName, { title: fileTitle(file.name), attachment }, id)
        state.value = { kind: 'made', document }
      } catch (error) {
        state.value = { kind: 'failed', failure: failureOf(error) }
      }
    }
    void follow(uploads.add(file, extensions))
    const again = () => {
      const { value: last } = upload.state
      void (last.kind === 'done' ? finish(last.attachment) : follow(upload.again()))
    }
    all.value = [...all.value, { id, file, typeName, state, cancel: () => upload.cancel(), again }]
  }

  const clear = () => {
    all.value = all.value.filter(({ state }) => isUnderWay(state.value))
  }
  return { all, add, clear }
}

/** Whether there is something to wait for. */
export function isUnderWay({ kind }: MediaState): boolean {
  return kind === 'waiting' || kind === 'sending' || kind === 'making'
}
