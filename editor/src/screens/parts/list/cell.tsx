import type { FieldInfo, Json, JsonObject } from 'quire-client'
import { languageOf, timesIn } from '../../../base/times.ts'
import { isObject } from '../../../model/json.ts'
import { t } from '../../../words/words.ts'
import { When } from '../when.tsx'

const times = timesIn(languageOf(navigator.languages))

/** The value of a field in a list. */
export function Cell({ field, row }: { readonly field: FieldInfo; readonly row: JsonObject }) {
  const value = row[field.name]
  if (value === null || value === undefined || value === '') return null
  switch (field.type) {
    case 'boolean':
      return <>{value === true ? t.list.yes : t.list.no}</>
    case 'date':
      return <>{times.day(String(value))}</>
    case 'dateAndTime':
      return <When time={String(value)} />
    case 'attachment':
      return <>{fileWords(value)}</>
    case 'relationship':
      return <>{titlesOf(value).join(', ')}</>
    case 'select':
    case 'radio':
      return <>{choiceLabel(field, value)}</>
    default:
      return <>{String(value)}</>
  }
}

function titlesOf(value: Json): readonly string[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one: Json) =>
    typeof one === 'object' && one !== null && 'title' in one ? [String(one.title || t.list.untitled)] : [],
  )
}

/** The label of the choice that a value stands for. */
function choiceLabel({ options }: FieldInfo, value: Json): string {
  const choices = Array.isArray(options.choices) ? options.choices : []
  const choice: Json | undefined = choices.find((one: Json) => isObject(one) && one.value === value)
  return isObject(choice) ? String(choice.label ?? value) : String(value)
}

/** The kind and size of a file: `PDF, 12 kB`. */
function fileWords(file: Json): string {
  if (!isObject(file)) return ''
  return `${String(file.extension).toUpperCase()}, ${t.upload.size(Number(file.length))}`
}
