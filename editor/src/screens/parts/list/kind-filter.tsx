import { t } from '../../../words/words.ts'
import { FILTER } from './built-in-filters.ts'
import { ChoiceFilter } from './choice-filter.tsx'
import type { FilterProps } from './filter-props.ts'
import { useUsedChoices } from './used-choices.ts'

/** Files of one kind, of those that there are. */
export function KindFilter({ name, type, view, onChange }: FilterProps) {
  const choices = useUsedChoices(name, type, 'extension').map(({ value }) => ({ value, label: value.toUpperCase() }))
  return (
    <ChoiceFilter
      name={FILTER.kind}
      label={t.media.kind}
      choices={choices}
      filters={view.filters}
      onChange={onChange}
    />
  )
}
