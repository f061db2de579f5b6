/** Where the editor and the service are. */
export interface Place {
  /** The path of the editor, such as `/admin`. */
  readonly base: string
  /** The path of the REST interface, such as `/api/v1`. */
  readonly api: string
  /** The beginning of the names of the service's own types: `@cms`. */
  readonly namespace: `@${string}`
  readonly title: string
}
