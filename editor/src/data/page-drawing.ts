import type { JsonObject } from 'quire-client'
import type { Editor } from './editor.ts'

/** Milliseconds that an answer may take. */
const PATIENCE_MS = 15_000

/** The answer to a request for a page of the site. */
export interface PageAnswer {
  /** 0 for none: the page is not reached. */
  readonly status: number
  readonly html: string
}

/** Asks for a page, or a part of one, as who signed in. Pages of other origins say no more than that they are there. */
export async function readPage(editor: Editor, url: string, signal: AbortSignal): Promise<PageAnswer> {
  const isHere = new URL(url).origin === globalThis.location.origin
  try {
    const answer = await fetch(url, isHere ? init(editor, signal) : { mode: 'no-cors', signal: patient(signal) })
    return isHere ? { status: answer.status, html: await answer.text() } : { status: 200, html: '' }
  } catch {
    return { status: 0, html: '' }
  }
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
