/** A value of a parameter; `undefined` is left out, and `null` is an empty text. */
export type QueryValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly QueryValue[]
  | { readonly [name: string]: QueryValue }

/** The parameters of a request, by name. */
export interface QueryValues {
  readonly [name: string]: QueryValue
}

/** A query as it stands in an address. */
export interface QueryText {
  readonly text: string
  /** False: it has to travel in the body of a POST, since it is too long or has an empty list. */
  readonly fits: boolean
}

/** Proxies refuse long addresses. */
const LONGEST = 6000

/** Writes a query as the service reads it (§0.4): `date[min]=…`, `section[]=…`; `where` as JSON. */
export function queryText(query: QueryValues): QueryText {
  const parts: string[] = []
  let fits = true
  const add = (name: string, value: QueryValue): void => {
    if (value === undefined) return
    if (typeof value !== 'object' || value === null) {
      parts.push(`${encodeURIComponent(name)}=${encodeURIComponent(value ?? '')}`)
    } else if (Array.isArray(value)) {
      // In an address, a list without items would be no condition at all.
      if (value.length === 0) fits = false
      for (const item of value) add(`${name}[]`, item)
    } else for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner)
  }
  for (const [name, value] of Object.entries(query)) add(name, name === 'where' ? asJson(value) : value)
  const text = parts.join('&')
  return { text, fits: fits && text.length <= LONGEST }
}

/** Groups lie too deep for brackets. */
function asJson(value: QueryValue): QueryValue {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
