/** The Content-Type of a request without its parameters, in small letters; empty when there is none. */
export function mediaType(headers: { readonly 'content-type'?: string | undefined }): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1)
  return type.trim().toLowerCase()
}
