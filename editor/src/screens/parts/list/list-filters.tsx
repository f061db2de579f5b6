import type { FieldInfo, TypeInfo } from 'quire-client'
import { useEditor } from '../../../data/editor.ts'
import { Button } from '../../../ui/button.tsx'
import { t } from '../../../words/words.ts'
import { ChoiceFilter } from './choice-filter.tsx'
import type { FilterProps } from './filter-props.ts'
import { filtersOf } from './list-view.ts'
import { hasOwnFilters, OwnFilters } from './own-filters.tsx'
import { useUsedChoices } from './used-choices.ts'
import { RangeFilter, ValueBox } from './value-box.tsx'

interface FieldFilterProps extends FilterProps {
  readonly field: FieldInfo
}

/** Filters made from the schema: choices, yes or no, and from and to. */
export function ListFilters(props: FilterProps) {
  const editor = useEditor()
  const fields = filtersOf(props.type)
  if (fields.length === 0 && !hasOwnFilters(editor, props)) return null
  const count = Object.keys(props.view.filters).length
  return (
    <details class="q-list-filters" open={count > 0}>
      <summary>{t.list.filters}</summary>
      <div class="q-list-filter-row">
        {fields.map((field) => (
          <Filter key={field.name} {...props} field={field} />
        ))}
        <OwnFilters {...props} />
        {count > 0 && <Button onPress={() => props.onChange({})}>{t.list.clearFilters}</Button>}
      </div>
    </details>
  )
}

function Filter(props: FieldFilterProps) {
  const { field, view, onChange } = props
  const bounds = { field, filters: view.filters, onChange }
  const named = { name: field.name, label: field.label }
  if (field.filter === 'range') return <RangeFilter {...bounds} />
  if (field.filter === 'boolean') return <ChoiceFilter {...bounds} {...named} choices={yesOrNo()} />
  if (field.filter === 'text') return <ValueBox {...bounds} {...named} />
  const { choices } = field.options
  // Of a filter of its own the choices are said; of a field those that are in use are asked for.
  if (isOwn(props.type, field) && choices)
    return <ChoiceFilter {...bounds} {...named} choices={choices.map(({ label }) => ({ value: label, label }))} />
  return <ValueFilter {...props} />
}

function yesOrNo() {
  return [
    { value: 'true', label: t.list.yes },
    { value: 'false', label: t.list.no },
  ]
}

function isOwn({ queries = [] }: TypeInfo, { name }: FieldInfo): boolean {
  return queries.some((one) => one.name === name)
}

/** The values that are in use. */
function ValueFilter({ name, type, field, view, onChange }: FieldFilterProps) {
  const choices = useUsedChoices(name, type, field.name)
  return (
    <ChoiceFilter name={field.name} label={field.label} choices={choices} filters={view.filters} onChange={onChange} />
  )
}
