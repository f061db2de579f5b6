import type { RichTextWords } from '../words/rich-text.ts'

/** A block or class that an area offers: `{ tag: 'p', class: 'lead', label: 'Lead' }`. */
export interface TextStyle {
  readonly tag: string
  readonly class?: string
  readonly label?: string
}

/** A document that a link can lead to. */
export interface LinkedDocument {
  /** Its aposDocId: links keep it, not the address. */
  readonly id: string
  readonly title: string
  /** A detail that distinguishes it from others of the same title: its type, its address. */
  readonly detail?: string
}

/** A picture for a text. `src` is what is stored: of the site's own `…/@cms/image/<aposDocId>/src`. */
export interface Picture {
  readonly src: string
  readonly alt: string
  readonly width?: number
  readonly height?: number
}

/** The options that a rich text is mounted with. */
export interface RichTextOptions {
  /** As the service stores it. */
  readonly html: string
  /** The names of tools that the field was declared with; absent: the usual ones. Unknown names are ignored. */
  readonly toolbar?: readonly string[] | undefined
  /** Absent: paragraphs and headings 2 to 4. */
  readonly styles?: readonly TextStyle[] | undefined
  /** The field's label: the name of the text. */
  readonly label: string
  /** Ids of elements with help and problems. */
  readonly describedBy?: string | undefined
  /** Of the text. The toolbar follows the page. */
  readonly direction: 'ltr' | 'rtl'
  /** Of the text, for spelling and voices. */
  readonly language: string
  readonly t: RichTextWords
  /** Called after each change that somebody made, never for others. */
  onChange(html: string): void
  /** Escape was pressed in the toolbar, or in a text without one. */
  onLeave(): void
  /** Finds documents by words; the newest question's answer is shown. */
  pickDocument(query: string, signal: AbortSignal): Promise<readonly LinkedDocument[]>
  /** The title of a document that a link leads to; null where it is gone. */
  readonly titleOf?: ((id: string, signal: AbortSignal) => Promise<string | null>) | undefined
  /** Lets somebody choose a picture; null where he did not. Without it pictures are given by their address. */
  readonly pickImage?: (() => Promise<Picture | null>) | undefined
  /** Stores a picture that was pasted or dropped. Without it such pictures are refused. */
  readonly uploadImage?: ((file: File, signal: AbortSignal) => Promise<Picture>) | undefined
  /** Whether a picture at this address may stay; without it those of the page's own origin. */
  readonly isAllowedPicture?: ((src: string) => boolean) | undefined
  /** Something was not taken over; a sentence for a live region. */
  readonly onRefused?: ((message: string) => void) | undefined
  /** Where browsers ask for trusted types: marks HTML that is only parsed, in a document without scripts. */
  readonly trustedHtml?: ((html: string) => string) | undefined
  /** The page keeps the history of the text, which has none of its own, and handles the keys for undoing. */
  readonly isUndoneOutside?: boolean | undefined
  /** Ends the editing. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Where the caret is placed: at the start or end, or near a point, in pixels from the corner of the text; all of it, or
 * what lies between two points, is selected.
 */
export type Place = 'start' | 'end' | 'all' | (Point & { readonly from?: Point })

/** Pixels from the upper left corner of a text. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** A key pressed before a text was there: words, or a key by its name. */
export type TypedKey = { readonly text: string } | { readonly key: string }

/** A rich text that is being edited. */
export interface RichText {
  focus(at?: Place): void
  /** Selects without taking the focus. */
  place(at: Place): void
  /** Does at the caret what the keys would have done. */
  type(typed: TypedKey): void
  /** Takes over what somebody else wrote, with the caret where it was. `onChange` is not called. */
  update(html: string): void
  destroy(): void
}
