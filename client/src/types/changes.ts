import type { Json } from '../json.ts'

/** A step of the way to a difference: a field, or an item or widget by its `_id`. */
export interface ChangeStep {
  readonly name: string
  readonly label: string
  /** Of items and widgets, from 1. */
  readonly ordinal?: number
  readonly title?: string
  readonly widgetType?: string
}

/** A difference in how rich text looks or where it leads. */
export interface FormatChange {
  readonly change: string
  readonly type: 'added' | 'modified' | 'deleted'
  readonly label: string
  readonly text: string
  readonly href?: string
  readonly old?: { readonly text?: string; readonly href?: string; readonly url?: string }
  readonly new?: { readonly text?: string; readonly href?: string; readonly url?: string }
}

/** An image of a relationship, on one side of a difference. */
export interface ChangedImage {
  readonly text: string
  readonly href: string
  readonly change: 'same' | 'added' | 'removed'
}

/** One difference between two states of a document (§2.5). */
export interface ChangeRow {
  readonly path: readonly ChangeStep[]
  readonly type: 'added' | 'modified' | 'deleted'
  readonly kind: 'leaf' | 'richText' | 'relationship' | 'object' | 'arrayItem' | 'widget' | 'area' | 'array'
  readonly fieldType: string
  readonly old?: Json
  readonly new?: Json
  readonly oldText: string
  readonly newText: string
  readonly diff?: readonly { readonly text: string; readonly change: 'same' | 'added' | 'removed' }[]
  readonly formatChanges?: readonly FormatChange[]
  readonly images?: { readonly old: readonly ChangedImage[]; readonly new: readonly ChangedImage[] }
  /** How AI took part. */
  readonly ai: 'changed' | 'assisted' | false
}

/** The differences between two states of a document. */
export interface Changes {
  readonly rows: readonly ChangeRow[]
  /** `ai`: in how many of them AI took part. */
  readonly counts: Readonly<Record<'added' | 'modified' | 'deleted' | 'ai', number>>
  /** The versions that are compared. */
  readonly versionIds: readonly string[]
  /** Of versions: the one that it is compared with. */
  readonly olderId?: string
  /** False where there is nothing to compare with. */
  readonly compared: boolean
}
