import sharp from 'sharp'

/** A file that a recording says was sent: `multipart: part "file" filename="a.jpg" type=image/jpeg 12081 bytes`. */
const UPLOAD = /^multipart: part "file" filename="([^"]*)" type=(\S+) (\d+) bytes$/

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60"><script>alert(1)</script><rect width="10" height="10"/></svg>'

/** The form that a recorded upload sends, with a file like the one it sent; null when it sends none. */
export async function uploadForm(body: unknown): Promise<FormData | null> {
  const [, name, type, length] = typeof body === 'string' ? (UPLOAD.exec(body) ?? []) : []
  if (name === undefined || type === undefined) return null
  const bytes = await bytesOf(name, Number(length))
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(bytes)], { type }), name)
  return form
}

/** Images are as large as those of the recordings; all else is text of the recorded length. */
async function bytesOf(name: string, length: number): Promise<Uint8Array> {
  const image = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#3366aa' } })
  if (name === 'my-photo.jpg' || name === 'a.jpg') return image(2000, 1000).jpeg().toBuffer()
  if (name.endsWith('.webp')) return image(50, 50).webp().toBuffer()
  if (name.endsWith('.svg')) return Buffer.from(SVG)
  return Buffer.alloc(length, 'hello notes ')
}
