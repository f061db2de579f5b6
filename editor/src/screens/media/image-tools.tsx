import { useId } from 'preact/hooks'
import { t } from '../../words/words.ts'
import { FilterButton } from '../parts/list/filter-button.tsx'
import type { OpenList } from '../parts/list/use-list.ts'

/** The tools of a grid that lists do not have: its order, and the filter for pictures without a description. */
export function ImageTools({ list }: { readonly list: OpenList }) {
  const { view, type, show } = list
  const id = useId()
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
      <FilterButton list={list} name="alt.missing" label={t.media.missing} />
    </div>
  )
}
