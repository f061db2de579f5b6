import { endedWith, Fragments } from '../../engine/answers/fragments.ts'
import type { Context } from '../../engine/context.ts'
import { Reply } from '../../http/requests/route.ts'
import type { Document } from '../../model/terms/document.ts'

const WRITTEN = { project: null, isOpen: true, isWritten: true } as const

/** The answer to a write: the document as its writer sees it, and `more` about the write. */
export async function presentWritten(ctx: Context, document: Document, more: object = {}): Promise<Reply> {
  const [fragment] = await new Fragments(ctx, WRITTEN).written([document])
  return Reply.tagged(endedWith(more, fragment ? [fragment.text] : []), fragment?.tag ?? null)
}
