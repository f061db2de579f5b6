/** What a value points to. */
export type Reference =
  | { readonly kind: 'document'; readonly id: string; readonly type: string }
  /** What the field takes: files of a group, with one of these extensions; without these any. */
  | {
      readonly kind: 'attachment'
      readonly id: string
      readonly fileGroup?: string | undefined
      readonly accepts?: readonly string[] | undefined
    }
