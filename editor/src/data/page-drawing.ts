import type { JsonObject } from 'quire-client'
import type { Editor } from './editor.ts'

/** Milliseconds that an answer may take. */
const PATIENCE_MS = 15_000

/** The answer to a request for a page of the site. */
export interface PageAnswer {
  /** 0 for none: the page is not reached, or may not be read from here. */
  readonly status: number
  readonly html: string
}

const NO_ANSWER: PageAnswer = { status: 0, html: '' }

/** Asks for a page, or a part of one, as the user who signed in. Front ends elsewhere let it be read by a header of the service. */
export async function readPage(editor: Editor, url: string, signal: AbortSignal): Promise<PageAnswer> {
  const elsewhere = { credentials: 'include', signal: patient(signal) } as const
  try {
    const answer = await fetch(url, isHere(url) ? init(editor, signal) : elsewhere)
    return { status: answer.status, html: await answer.text() }
  } catch {
    return NO_ANSWER
  }
}

/** The status of a page; front ends elsewhere say no more than that they are there (200), or nothing (0). */
export async function pageStatus(editor: Editor, url: string, signal: AbortSignal): Promise<number> {
  if (isHere(url)) return (await readPage(editor, url, signal)).status
  try {
    await fetch(url, { mode: 'no-cors', signal: patient(signal) })
    return 200
  } catch {
    return 0
  }
}

/** True for an address of the service that sent the editor. */
export function isHere(url: string): boolean {
  return new URL(url).origin === globalThis.location.origin
}

/**
 * A block as it would look, from values that need not be saved (`area/render-widget`): its HTML; null where it cannot be
 * drawn now, as when something that it needs is missing. Nobody waits for that: the last picture stays.
 */
export async function drawBlock(editor: Editor, body: JsonObject, signal: AbortSignal): Promise<string | null> {
  const { api, namespace } = editor.place
  const url = `${api}/${namespace}/area/render-widget?aposEdit=1`
  const { headers, ...rest } = init(editor, signal)
  try {
    const answer = await fetch(url, {
      ...rest,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, livePreview: true }),
    })
    const isHtml = answer.headers.get('content-type')?.startsWith('text/html') === true
    return answer.ok && isHtml ? await answer.text() : null
  } catch {
    return null
  }
}

function init({ schema }: Editor, signal: AbortSignal) {
  const headers = { 'quire-expect-caller': schema.peek().caller._id }
  return { headers, credentials: 'same-origin', signal: patient(signal) } as const
}

function patient(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
}
