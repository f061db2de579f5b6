/** Which document is open, and by whom. Its changes are kept on the device under this. */
export interface DocumentPlace {
  /** The `_id` of the user. */
  readonly user: string
  readonly type: string
  /** The bare id; one that this device made where the document is not at the service yet. */
  readonly docId: string
  /** Null for types that are not localized. */
  readonly locale: string | null
}

/** The place as one text. */
export function nameOf({ user, docId, locale }: DocumentPlace): string {
  return [user, docId, locale ?? ''].join(' ')
}
