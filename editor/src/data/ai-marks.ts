import type { JsonObject } from 'quire-client'
import { useEditor } from './editor.ts'
import { useQuery } from './query.ts'

type AiMarks = ReadonlyMap<string, 'changed' | 'assisted'>

const NONE: AiMarks = new Map()

/**
 * In which of some documents AI has written since a person published them, by their bare ids: `changed` where it has saved
 * last, `assisted` where a person has since. One request; empty until it is known.
 */
export function useAiMarks(tag: string, rows: readonly JsonObject[]): AiMarks {
  const { request, locale, schema } = useEditor()
  const isEditable = ({ type }: JsonObject) => {
    const found = schema.value.types[String(type)]
    return found?.versions === true && found.denied.editDraft === undefined
  }
  const ids = rows.filter(isEditable).map(({ aposDocId }) => String(aposDocId))
  // What was saved since has another time.
  const of = rows.map(({ updatedAt, lastPublishedAt }) => `${updatedAt} ${lastPublishedAt}`)
  const { data } = useQuery([tag, 'ai', locale.value, ids, of], async (signal) => {
    if (ids.length === 0) return NONE
    const { results } = await request<{ readonly results: readonly Mark[] }>('GET', '@cms/ai-marks', {
      query: { _ids: ids },
      locale: locale.value,
      signal,
    })
    return new Map(results.map(({ aposDocId, ai }) => [aposDocId, ai]))
  })
  return data ?? NONE
}

interface Mark {
  readonly aposDocId: string
  readonly ai: 'changed' | 'assisted'
}
