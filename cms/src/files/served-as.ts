/** The headers with which browsers get a stored file. */
interface ServedAs {
  readonly type: string
  /** `inline`, or `attachment`: opening its URL saves it, while pages may still show it as an image. */
  readonly disposition: 'inline' | 'attachment'
  /** The `Content-Security-Policy`: nothing in the file runs, whatever a browser takes it for. */
  readonly policy: string
}

const SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
/** Browsers show PDFs in their own viewer, which does not run in a sandbox. */
const VIEWER = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'"

const INLINE: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  pdf: 'application/pdf',
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'

const OTHERS: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  rtf: 'application/rtf',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  docx: `${OFFICE}.wordprocessingml.document`,
  dotx: `${OFFICE}.wordprocessingml.template`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  xltx: `${OFFICE}.spreadsheetml.template`,
  pptx: `${OFFICE}.presentationml.presentation`,
  potx: `${OFFICE}.presentationml.template`,
  ppsx: `${OFFICE}.presentationml.slideshow`,
  sldx: `${OFFICE}.presentationml.slide`,
  zip: 'application/zip',
  json: 'application/json',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
}

/** The headers for a name by its extension; unknown types are saved as bytes. */
export function servedAs(name: string): ServedAs {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const inline = Object.hasOwn(INLINE, extension) ? INLINE[extension] : undefined
  if (inline) return { type: inline, disposition: 'inline', policy: extension === 'pdf' ? VIEWER : SANDBOX }
  const type = Object.hasOwn(OTHERS, extension) ? OTHERS[extension] : undefined
  return { type: type ?? 'application/octet-stream', disposition: 'attachment', policy: SANDBOX }
}
