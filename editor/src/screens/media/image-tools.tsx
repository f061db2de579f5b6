import { useId } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import type { OpenList } from '../parts/list/use-list.ts'

const MISSING = 'alt.missing'

/** The tools of a grid that lists do not have: its order, and the filter for pictures without a description. */
export function ImageTools({ list: { view, type, show } }: { readonly list: OpenList }) {
  const id = useId()
  const isMissing = view.filters[MISSING] !== undefined
  const sorts = {
    '-updatedAt': t.media.newest,
    updatedAt: t.media.oldest,
    title: t.media.byTitle,
    '-title': t.media.byTitleBack,
  }
  const chosen = view.sort || type.sort
  return (
    <div class="q-media-tools">
      <label for={id}>{t.media.sort}</label>
      <select
        id={id}
        class="q-input"
        value={chosen}
        onChange={({ currentTarget }) => show({ sort: currentTarget.value })}
      >
        {Object.entries(sorts).map(([sort, label]) => (
          <option key={sort} value={sort} selected={sort === chosen}>
            {label}
          </option>
        ))}
      </select>
      <Button
        attributes={{ 'aria-pressed': isMissing }}
        onPress={() => {
          const { [MISSING]: _, ...others } = view.filters
          show({ filters: isMissing ? others : { ...others, [MISSING]: 'true' } })
        }}
      >
        {t.media.missing}
      </Button>
    </div>
  )
}
