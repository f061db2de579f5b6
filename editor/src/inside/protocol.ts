/**
 * How the editor and the page in its frame talk (§11.5). Each side is a stranger to the other: a message counts only
 * with the token that the editor put behind `#`, and is read by `readFromPage` or `readFromEditor`. The page never
 * sends HTML or values; what it asks for, the editor does in its own form, where it can be undone.
 */

/** A part of a page that says where it comes from. */
export type Mark =
  | { readonly kind: 'widget'; readonly docId: string; readonly widgetId: string }
  /** An area without widgets; `fieldId` is that of `area/render-widget`: `doc.article.body`. */
  | { readonly kind: 'area'; readonly docId: string; readonly areaId: string; readonly fieldId: string }
  /** `path` as PATCH names it: `title`, `@w1.caption`. */
  | { readonly kind: 'field'; readonly docId: string; readonly path: string }

/** Wishes of somebody at a part of the page. */
export const WISHES = ['add', 'up', 'down', 'remove'] as const
export type Wish = (typeof WISHES)[number]

/** A message of the page. */
export type FromPage =
  /** It listens. `canRefresh`: it has a part that `refresh` can change. */
  | { readonly kind: 'ready'; readonly canRefresh: boolean }
  /** A part was clicked, or Enter pressed at it: it is to be edited. */
  | { readonly kind: 'select'; readonly mark: Mark }
  | { readonly kind: 'ask'; readonly mark: Mark; readonly wish: Wish }
  /** Escape: the keyboard goes back to the form. */
  | { readonly kind: 'leave' }
  /** The last HTML could not be put in: the editor loads the page again. A page cannot: its own requests have no session. */
  | { readonly kind: 'failed' }

/** The names of the buttons at a part. */
export type InsideWords = Readonly<Record<'edit' | Wish, string>>

/** A message of the editor. */
export type FromEditor =
  /** Answers `ready`, and is sent again when labels change. `labels`: what parts are called, by `markKey`. */
  | { readonly kind: 'start'; readonly words: InsideWords; readonly labels: Readonly<Record<string, string>> }
  /** Frames a part, and scrolls to it; null frames none. */
  | { readonly kind: 'show'; readonly mark: Mark | null }
  /** The refreshable part of the page, as `aposRefresh=1&aposEdit=1` answers it. */
  | { readonly kind: 'refresh'; readonly html: string }
  /** One widget, as `area/render-widget?aposEdit=1` answers it. */
  | { readonly kind: 'widget'; readonly widgetId: string; readonly html: string }
  /** The stylesheet of the site with values that nobody has saved; of the classes of the body, which go and which come. */
  | {
      readonly kind: 'styles'
      readonly css: string
      readonly classes: readonly string[]
      readonly replaced: readonly string[]
    }

/** A message as it is sent. */
export type Sent<Message> = Message & { readonly quire: 1; readonly token: string }

const WORD = /^\S{1,300}$/

/** A token for a new frame: 32 hexadecimal digits. */
export function newToken(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): string {
  return [...random(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The address of a page that is to talk with the editor. */
export function withToken(url: string, token: string): string {
  return `${url.split('#')[0]}#quire=${token}`
}

/** The token behind `#`; null for none. */
export function tokenIn(hash: string): string | null {
  return /^#quire=([0-9a-f]{32})$/.exec(hash)?.[1] ?? null
}

/** A message as it is sent with the token of the frame. */
export function sent<Message extends FromPage | FromEditor>(message: Message, token: string): Sent<Message> {
  return { ...message, quire: 1, token }
}

/** Identifies a mark: equal for the same part of any drawing of a page. */
export function markKey(mark: Mark): string {
  if (mark.kind === 'field') return `${mark.docId} ${mark.path}`
  return mark.kind === 'widget' ? mark.widgetId : mark.areaId
}

/** Reads what a page sent, and nothing but what it may send; null for everything else. */
export function readFromPage(data: unknown, token: string): FromPage | null {
  const message = ours(data, token)
  const kind = message?.kind
  if (kind === 'ready') return { kind, canRefresh: message?.canRefresh === true }
  if (kind === 'leave' || kind === 'failed') return { kind }
  const mark = readMark(message?.mark)
  if (mark === null) return null
  if (kind === 'select') return { kind, mark }
  const wish = WISHES.find((one) => one === message?.wish)
  return kind === 'ask' && wish !== undefined ? { kind, mark, wish } : null
}

/** Reads what the editor sent; null for everything else. */
export function readFromEditor(data: unknown, token: string): FromEditor | null {
  const message = ours(data, token)
  const kind = message?.kind
  if (kind === 'show') return { kind, mark: readMark(message?.mark) }
  const { html, widgetId, words, labels, css, classes, replaced } = message ?? {}
  if (kind === 'styles' && typeof css === 'string' && areWords(classes) && areWords(replaced))
    return { kind, css, classes, replaced }
  if (kind === 'refresh' && typeof html === 'string') return { kind, html }
  if (kind === 'widget' && typeof html === 'string' && isWord(widgetId)) return { kind, html, widgetId }
  // `as`: it has the token, and the origin was checked: it is the editor of this very build.
  if (kind === 'start' && isRecord(words) && isRecord(labels)) return message as Sent<FromEditor>
  return null
}

function ours(data: unknown, token: string): Record<string, unknown> | null {
  return isRecord(data) && data.quire === 1 && data.token === token ? data : null
}

function readMark(given: unknown): Mark | null {
  const { kind, docId, widgetId, areaId, fieldId, path } = isRecord(given) ? given : {}
  if (!isWord(docId)) return null
  if (kind === 'widget' && isWord(widgetId)) return { kind, docId, widgetId }
  if (kind === 'area' && isWord(areaId) && isWord(fieldId)) return { kind, docId, areaId, fieldId }
  return kind === 'field' && isWord(path) ? { kind, docId, path } : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && WORD.test(value)
}

function areWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isWord)
}
