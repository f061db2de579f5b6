import sharp from 'sharp'
import type { JsonObject } from '../src/base/json.ts'
import type { Service } from './service.ts'

type Role = 'guest' | 'contributor' | 'editor' | 'admin'

/** What an upload was answered. */
export interface UploadAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any
}

/** A JPEG of one colour, with stripes so that parts of it differ. */
export function jpeg(width = 400, height = 200, color = '#3366aa'): Promise<Buffer> {
  const stripe = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width / 2}" height="${height / 2}" fill="#fff"/></svg>`,
  )
  return sharp({ create: { width, height, channels: 3, background: color } })
    .composite([{ input: stripe }])
    .jpeg()
    .toBuffer()
}

/** Sends a file as a browser does; null as role for anonymous callers. */
export async function upload(
  { address }: Pick<Service, 'address'>,
  role: Role | null,
  bytes: Uint8Array | string,
  name = 'My Photo.jpg',
  namespace = '@cms',
): Promise<UploadAnswer> {
  const form = new FormData()
  form.append('file', new Blob([typeof bytes === 'string' ? bytes : Uint8Array.from(bytes)]), name)
  const response = await fetch(`${address}/api/v1/${namespace}/attachment/upload`, {
    method: 'POST',
    body: form,
    ...(role === null ? {} : { headers: { authorization: `ApiKey key-${role}` } }),
  })
  return { status: response.status, body: await response.json() }
}

/** An uploaded image, as the upload answers it. */
export async function uploadedImage(
  service: Service,
  width = 400,
  height = 200,
): Promise<JsonObject & { _id: string }> {
  const { status, body } = await upload(service, 'editor', await jpeg(width, height))
  if (status !== 200) throw new Error(`The upload was refused: ${JSON.stringify(body)}`)
  return body
}

/** A published image piece with a file of its own. */
export async function imagePiece(service: Service, given: object = {}) {
  const attachment = await uploadedImage(service)
  const { status, body } = await service.editor.post('@cms/image', { title: 'Image', attachment, ...given })
  if (status !== 200) throw new Error(`The image was refused: ${JSON.stringify(body)}`)
  return body
}

/** The file that a URL of an answer leads to. */
export function fetchFile({ address }: Pick<Service, 'address'>, url: string): Promise<Response> {
  return fetch(new URL(url, address), { redirect: 'manual' })
}

/** The names of all files that are kept, in order. */
export async function keptFiles({ app }: Service): Promise<string[]> {
  const names: string[] = []
  for await (const name of app.context({ kind: 'operator' }).files.list('attachments/')) names.push(name)
  return names.toSorted()
}
