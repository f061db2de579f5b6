/** The address of a place in the editor: `/admin/content/article?locale=fr`. */
export function addressOf(base: string, path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString()
  return `${base}${path === '/' && base !== '' ? '' : path}${text === '' ? '' : `?${text}`}`
}
