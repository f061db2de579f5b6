import { useId } from 'preact/hooks'
import { Input } from '../../../ui/input.tsx'
import { t } from '../../../words/words.ts'
import { FILTER } from './built-in-filters.ts'
import type { FilterProps } from './filter-props.ts'
import { withFilter } from './list-view.ts'

/** Pictures that are large enough. */
export function SizeFilter(props: FilterProps) {
  return (
    <fieldset class="q-list-size" aria-label={t.media.size}>
      <PixelBox {...props} side={FILTER.minWidth} label={t.media.minWidth} />
      <PixelBox {...props} side={FILTER.minHeight} label={t.media.minHeight} />
    </fieldset>
  )
}

interface PixelBoxProps extends FilterProps {
  readonly side: string
  readonly label: string
}

function PixelBox({ view, onChange, side, label }: PixelBoxProps) {
  const id = useId()
  return (
    <span class="q-list-filter">
      <label for={id}>{label}</label>
      <Input
        id={id}
        type="number"
        min={0}
        max={999_999}
        step={1}
        value={view.filters[side] ?? ''}
        onChange={(event) => onChange(withFilter(view.filters, side, event.currentTarget.value))}
      />
    </span>
  )
}
