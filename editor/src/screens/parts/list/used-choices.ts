import type { Json, JsonObject, TypeInfo } from 'quire-client'
import { useEditor } from '../../../data/editor.ts'
import { useQuery } from '../../../data/query.ts'
import type { FilterChoice } from './choice-filter.tsx'

/** The values of a filter that are in use in the lists of a type, as the service lists them (§4.1 `choices`). */
export function useUsedChoices(name: string, type: TypeInfo, filter: string): readonly FilterChoice[] {
  const { request, locale } = useEditor()
  const found = useQuery([name, 'choices', locale.value, filter], async (signal) => {
    const { choices } = await request<{ choices: JsonObject }>('GET', name, {
      mode: type.localized ? 'draft' : 'published',
      locale: locale.value,
      query: { choices: filter, perPage: 1 },
      signal,
    })
    return choicesOf(choices[filter])
  })
  return found.data ?? []
}

function choicesOf(given: Json | undefined): readonly FilterChoice[] {
  if (!Array.isArray(given)) return []
  return given.flatMap((one: Json) =>
    typeof one === 'object' && one !== null && 'value' in one
      ? [{ value: String(one.value), label: String(one.label ?? one.value) }]
      : [],
  )
}
