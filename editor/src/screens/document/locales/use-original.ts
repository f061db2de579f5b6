import { useMemo } from 'preact/hooks'
import type { ChangeRow, JsonObject } from 'quire-client'
import { newId } from '../../../base/ids.ts'
import { useEditor } from '../../../data/editor.ts'
import { requestPath } from '../../../data/locales.ts'
import { type Answered, useQuery } from '../../../data/query.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'
import { openDocument } from '../../../model/tree.ts'
import type { Original } from './original.ts'

interface Compared {
  readonly _compared?: { readonly rows: readonly ChangeRow[] }
}

/** Reads the copy of a locale, and what was changed in it since the translation was saved. */
export function useOriginal(draft: OpenDraft, from: string): Answered<Original> {
  const editor = useEditor()
  const { request, schema, locale } = editor
  const { typeName, latest } = draft
  const path = requestPath(draft, editor)
  const answered = useQuery([typeName, 'original', path, from, locale.value, latest.value?.updatedAt], (signal) => {
    const options = { mode: 'draft', signal } as const
    return Promise.all([
      request<JsonObject>('GET', path, { ...options, locale: from, query: { archived: 'any' } }),
      request<Compared>('GET', path, { ...options, locale: locale.value, query: { archived: 'any', compare: from } }),
    ])
  })
  const { data } = answered
  const original = useMemo(() => {
    if (data === undefined) return undefined
    const [document, { _compared }] = data
    const { label = from, direction = 'ltr' } = schema.value.site.locales[from] ?? {}
    return {
      label,
      language: { lang: from, dir: direction },
      document: openDocument(schema.value, typeName, document, { newId, now: Date.now }),
      rows: new Map(_compared?.rows.map((row) => [row.path.map(({ name }) => name).join('.'), row])),
    }
  }, [data, schema.value, from, typeName])
  return { ...answered, data: original }
}
