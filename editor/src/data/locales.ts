import { isProblem } from 'quire-client'
import type { Editor } from './editor.ts'
import type { OpenDraft } from './saving/open-draft.ts'

/** A copy of a document, as `:_id/locales` lists it (§4.5). */
export interface LocaleCopy {
  readonly aposLocale: string
  readonly title?: string
  readonly archived?: boolean
  readonly updatedAt?: string
  readonly lastPublishedAt?: string | null
  /** The original was published after this was saved. */
  readonly isOutdated?: boolean
}

interface Results {
  readonly results: readonly LocaleCopy[]
}

/** Where an open document is in the interface: `article/k3x`, `@cms/page/k9p`. */
export function requestPath({ type, typeName, saver }: OpenDraft, { place }: Editor): string {
  const path = type.family === 'page' ? `${place.namespace}/page` : typeName
  return `${path}/${saver.place.value.docId}`
}

/** The copies of a document, seen from an original, or from the present locale where it is not in that. */
export async function copiesOf(
  editor: Editor,
  draft: OpenDraft,
  { original, signal }: { readonly original: string; readonly signal: AbortSignal },
): Promise<readonly LocaleCopy[]> {
  const here = editor.locale.peek()
  const options = { mode: 'draft', signal } as const
  try {
    const address = `${requestPath(draft, editor)}/locales`
    const { results } = await editor.request<Results>('GET', address, { ...options, locale: original })
    return results
  } catch (error) {
    if (original === here || !isProblem(error, 'notfound')) throw error
    return copiesOf(editor, draft, { original: here, signal })
  }
}
