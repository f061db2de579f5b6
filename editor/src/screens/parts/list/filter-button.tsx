import { Button } from '../../../ui/button.tsx'
import { withFilter } from './list-view.ts'
import type { OpenList } from './use-list.ts'

interface FilterButtonProps {
  readonly list: OpenList
  /** Of the filter in the address. */
  readonly name: string
  readonly label: string
}

/** Turns a filter on and off. */
export function FilterButton({ list: { view, show }, name, label }: FilterButtonProps) {
  const isOn = view.filters[name] !== undefined
  return (
    <Button
      attributes={{ 'aria-pressed': isOn }}
      onPress={() => show({ filters: withFilter(view.filters, name, isOn ? '' : 'true') })}
    >
      {label}
    </Button>
  )
}
