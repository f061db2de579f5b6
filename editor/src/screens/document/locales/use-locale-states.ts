import { useEditor } from '../../../data/editor.ts'
import { copiesOf, type LocaleCopy } from '../../../data/locales.ts'
import { type Answered, useQuery } from '../../../data/query.ts'
import type { OpenDraft } from '../../../data/saving/open-draft.ts'

/** A locale, and how the document stands in it. */
export interface LocaleState {
  readonly locale: string
  readonly label: string
  /** Null where the document is not there. */
  readonly copy: LocaleCopy | null
}

/** How a document stands in each locale that the caller knows of, seen from the first locale of the site. */
export function useLocaleStates(draft: OpenDraft): Answered<readonly LocaleState[]> {
  const editor = useEditor()
  const { latest, saver, typeName } = draft
  const { locales } = editor.schema.value.site
  const [original = editor.locale.value] = Object.keys(locales)
  const { docId } = saver.place.value
  const { updatedAt, lastPublishedAt } = latest.value ?? {}
  const key = [typeName, 'locales', docId, editor.locale.value, updatedAt, lastPublishedAt] as const
  return useQuery(key, async (signal) => {
    const copies = new Map(
      (await copiesOf(editor, draft, { original, signal })).map((copy) => [copy.aposLocale.split(':')[0], copy]),
    )
    return Object.entries(locales).map(([locale, { label }]) => ({ locale, label, copy: copies.get(locale) ?? null }))
  })
}
