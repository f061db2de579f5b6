import { useId } from 'preact/hooks'
import type { FieldInfo, Json, JsonObject, TypeInfo } from 'quire-client'
import { useEditor } from '../../../data/editor.ts'
import { useQuery } from '../../../data/query.ts'
import { Button } from '../../../ui/button.tsx'
import { t } from '../../../words/words.ts'
import { filtersOf, type ListView, withFilter } from './list-view.ts'
import { RangeFilter, ValueBox } from './value-box.tsx'

type Filters = ListView['filters']

interface ListFiltersProps {
  readonly name: string
  readonly type: TypeInfo
  readonly view: ListView
  readonly onChange: (filters: Filters) => void
}

interface FilterProps extends ListFiltersProps {
  readonly field: FieldInfo
}

/** Filters made from the schema: choices, yes or no, and from and to. */
export function ListFilters(props: ListFiltersProps) {
  const fields = filtersOf(props.type)
  if (fields.length === 0) return null
  const count = Object.keys(props.view.filters).length
  return (
    <details class="q-list-filters" open={count > 0}>
      <summary>{t.list.filters}</summary>
      <div class="q-list-filter-row">
        {fields.map((field) => (
          <Filter key={field.name} {...props} field={field} />
        ))}
        {count > 0 && <Button onPress={() => props.onChange({})}>{t.list.clearFilters}</Button>}
      </div>
    </details>
  )
}

function Filter(props: FilterProps) {
  const { field, view, onChange } = props
  const bounds = { field, filters: view.filters, onChange }
  if (field.filter === 'range') return <RangeFilter {...bounds} />
  if (field.filter === 'boolean')
    return (
      <ChoiceFilter
        {...props}
        choices={[
          { value: 'true', label: t.list.yes },
          { value: 'false', label: t.list.no },
        ]}
      />
    )
  if (field.filter === 'text') return <ValueBox {...bounds} name={field.name} label={field.label} />
  const { choices } = field.options
  // Of a filter of its own the choices are said; of a field those that are in use are asked for.
  if (isOwn(props.type, field) && choices)
    return <ChoiceFilter {...props} choices={choices.map(({ label }) => ({ value: label, label }))} />
  return <ValueFilter {...props} />
}

function isOwn({ queries = [] }: TypeInfo, { name }: FieldInfo): boolean {
  return queries.some((one) => one.name === name)
}

interface Choice {
  readonly value: string
  readonly label: string
}

/** The values that are in use, as the service lists them (§4.1 `choices`). */
function ValueFilter(props: FilterProps) {
  const { request, locale } = useEditor()
  const { name, field, type } = props
  const found = useQuery([name, 'choices', locale.value, field.name], async (signal) => {
    const { choices } = await request<{ choices: JsonObject }>('GET', name, {
      mode: type.localized ? 'draft' : 'published',
      locale: locale.value,
      query: { choices: field.name, perPage: 1 },
      signal,
    })
    return choicesOf(choices[field.name])
  })
  return <ChoiceFilter {...props} choices={found.data ?? []} />
}

function choicesOf(given: Json | undefined): readonly Choice[] {
  if (!Array.isArray(given)) return []
  return given.flatMap((one: Json) =>
    typeof one === 'object' && one !== null && 'value' in one
      ? [{ value: String(one.value), label: String(one.label ?? one.value) }]
      : [],
  )
}

function ChoiceFilter({ field, view, onChange, choices }: FilterProps & { readonly choices: readonly Choice[] }) {
  const id = useId()
  const chosen = view.filters[field.name] ?? ''
  return (
    <span class="q-list-filter">
      <label for={id}>{field.label}</label>
      <select
        id={id}
        class="q-input"
        value={chosen}
        onChange={(event) => onChange(withFilter(view.filters, field.name, event.currentTarget.value))}
      >
        <option value="">{t.list.any}</option>
        {choices.map(({ value, label }) => (
          <option key={value} value={value} selected={value === chosen}>
            {label}
          </option>
        ))}
      </select>
    </span>
  )
}
