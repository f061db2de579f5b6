import type { JsonObject } from 'quire-client'
import { upload } from 'quire-client/media'
import { newId } from '../../base/ids.ts'
import type { Editor } from '../editor.ts'

/** A picture of the site, as texts refer to it. */
export interface StoredPicture {
  readonly src: string
  readonly alt: string
  readonly width?: number
  readonly height?: number
}

/** Uploads a picture and makes an image document of it. Rejects with a `QuireError`. */
export async function storePicture(
  { client, request, locale, place }: Editor,
  file: File,
  signal?: AbortSignal,
): Promise<StoredPicture> {
  const ends = signal === undefined ? {} : { signal }
  const attachment = await upload(client, file, ends)
  const title = file.name.replace(/\.[^.]*$/, '')
  const made = await request<JsonObject>('POST', '@cms/image', {
    body: { title, alt: '', attachment },
    locale: locale.peek(),
    idempotencyKey: newId(),
    ...ends,
  })
  const { width, height } = attachment
  return {
    src: `${place.api}/${place.namespace}/image/${String(made.aposDocId)}/src`,
    alt: '',
    ...(typeof width === 'number' && typeof height === 'number' && { width, height }),
  }
}

/** Lets somebody choose a file of the device, and stores it; null where he chose none. Rejects with a `QuireError`. */
export async function choosePicture(editor: Editor): Promise<StoredPicture | null> {
  const [file] = await chosenFiles(extensionsOf(editor))
  return file === undefined ? null : await storePicture(editor, file)
}

function extensionsOf({ schema }: Editor): readonly string[] {
  const { fileGroups } = schema.peek().site
  return fileGroups.filter(({ isImage }) => isImage).flatMap(({ extensions }) => extensions)
}

function chosenFiles(extensions: readonly string[]): Promise<readonly File[]> {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = extensions.map((extension) => `.${extension}`).join(',')
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])]))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  })
}
