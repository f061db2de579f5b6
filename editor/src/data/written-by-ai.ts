import { type Editor, useEditor } from './editor.ts'
import { useQuery } from './query.ts'

type AiMarks = ReadonlyMap<string, 'changed' | 'assisted'>

const NONE: AiMarks = new Map()

/** A document in a list, as far as it is known. */
interface Listed {
  readonly aposDocId?: unknown
  readonly type?: unknown
  readonly updatedAt?: unknown
  readonly lastPublishedAt?: unknown
}

/**
 * In which of some documents AI has written since a person published them, by their bare ids: `changed` where it has saved
 * last, `assisted` where a person has since. One request; empty until it is known.
 */
export function useAiMarks(tag: string, rows: readonly Listed[]): AiMarks {
  const editor = useEditor()
  const { locale, schema } = editor
  const isEditable = ({ type }: Listed) => {
    const found = schema.value.types[String(type)]
    return found?.versions === true && found.denied.editDraft === undefined
  }
  const ids = rows.filter(isEditable).map(({ aposDocId }) => String(aposDocId))
  // A document that was saved since has another time.
  const of = rows.map(({ updatedAt, lastPublishedAt }) => `${updatedAt} ${lastPublishedAt}`)
  const { data } = useQuery([tag, 'ai', locale.value, ids, of], (signal) => readAiMarks(editor, ids, signal))
  return data ?? NONE
}

/** Reads the AI marks of documents once. Rejects with a `QuireError`. */
export async function readAiMarks(
  { request, locale }: Pick<Editor, 'request' | 'locale'>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<AiMarks> {
  if (ids.length === 0) return NONE
  const query = { _ids: ids }
  const options = { query, locale: locale.peek(), signal }
  const { results } = await request<{ readonly results: readonly Mark[] }>('GET', '@cms/ai-marks', options)
  return new Map(results.map(({ aposDocId, ai }) => [aposDocId, ai]))
}

interface Mark {
  readonly aposDocId: string
  readonly ai: 'changed' | 'assisted'
}
