/** Longest segment of a name in bytes: the limit of common file systems. */
const MAX_SEGMENT = 255
const MAX_NAME = 1024

/**
 * True for a possible name of a stored file: segments of visible characters, none of which is hidden, leaves the
 * folder, or has a special meaning on another system.
 */
export function isFileName(name: string): boolean {
  if (name === '' || name.length > MAX_NAME) return false
  return name.split('/').every(isSegment)
}

function isSegment(segment: string): boolean {
  if (segment === '' || segment.startsWith('.') || Buffer.byteLength(segment) > MAX_SEGMENT) return false
  return !/[\p{Cc}\\:*?"<>|%]/u.test(segment) && segment.isWellFormed()
}

/** Throws where a name cannot be that of a stored file. */
export function assertFileName(name: string): void {
  if (!isFileName(name)) throw new Error(`This cannot be the name of an upload: ${JSON.stringify(name)}.`)
}

/** A name as part of a URL: each segment percent-encoded. */
export function urlPath(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/')
}
