import { type ReadonlySignal, signal } from '@preact/signals-core'
import type { JsonObject, Schema } from 'quire-client'
import { newId } from '../../base/ids.ts'
import { createQueue } from '../../base/queue.ts'
import { type Failure, failureOf } from '../failure.ts'

const AT_ONCE = 3

/** Sends a file; `upload` of `quire-client/media`, with the client already given. */
export type SendFile = (
  file: File,
  options: {
    readonly signal: AbortSignal
    readonly onProgress: (progress: { readonly sent: number; readonly total: number }) => void
  },
) => Promise<JsonObject>

export type UploadState =
  | { readonly kind: 'waiting' }
  /** Bytes. */
  | { readonly kind: 'sending'; readonly sent: number; readonly total: number }
  | { readonly kind: 'done'; readonly attachment: JsonObject }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** It was not sent, since the service would not take it. */
  | { readonly kind: 'refused'; readonly reason: 'kind' | 'size' }
  | { readonly kind: 'cancelled' }

export interface Upload {
  readonly id: string
  readonly file: File
  readonly state: ReadonlySignal<UploadState>
  /** Resolves when there is nothing more to wait for. */
  readonly ended: Promise<UploadState>
  cancel(): void
  /** Uploads a file again that failed or was cancelled. */
  again(): Upload
}

export interface Uploads {
  /** The uploads in the order in which they were added, until each is taken out. */
  readonly all: ReadonlySignal<readonly Upload[]>
  /** `extensions`: those that the field takes; any of the site where it is left out. */
  add(file: File, extensions?: readonly string[]): Upload
  takeOut(upload: Upload): void
}

/** Sends files, three at once. What the schema says to be of the wrong kind or too large is not sent. */
export function createUploads(send: SendFile, site: Pick<Schema['site'], 'fileGroups' | 'limits'>): Uploads {
  const all = signal<readonly Upload[]>([])
  const queue = createQueue(AT_ONCE)
  const takeOut = (upload: Upload) => {
    upload.cancel()
    all.value = all.value.filter((one) => one !== upload)
  }

  const add = (file: File, extensions?: readonly string[]): Upload => {
    const state = signal<UploadState>({ kind: 'waiting' })
    const ending = new AbortController()
    const { signal: ended } = ending
    const onProgress = ({ sent, total }: { readonly sent: number; readonly total: number }) => {
      if (!ended.aborted) state.value = { kind: 'sending', sent, total }
    }
    const run = async (): Promise<UploadState> => {
      const reason = refusalOf(file, site, extensions)
      if (reason) return { kind: 'refused', reason }
      try {
        const attachment = await queue.add(() => {
          onProgress({ sent: 0, total: file.size })
          return send(file, { signal: ended, onProgress })
        }, ended)
        return { kind: 'done', attachment }
      } catch (error) {
        return ended.aborted ? { kind: 'cancelled' } : { kind: 'failed', failure: failureOf(error) }
      }
    }
    const upload: Upload = {
      id: newId(),
      file,
      state,
      ended: run().then((last) => {
        state.value = last
        return last
      }),
      cancel: () => ending.abort(),
      again() {
        takeOut(upload)
        return add(file, extensions)
      },
    }
    all.value = [...all.value, upload]
    return upload
  }
  return { all, add, takeOut }
}

/** Why the service would not take a file; null where it may. */
export function refusalOf(
  { name, size }: Pick<File, 'name' | 'size'>,
  { fileGroups, limits }: Pick<Schema['site'], 'fileGroups' | 'limits'>,
  extensions: readonly string[] = fileGroups.flatMap((group) => group.extensions),
): 'kind' | 'size' | null {
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
  if (!extensions.includes(extension)) return 'kind'
  return size > limits.uploadBytes ? 'size' : null
}
