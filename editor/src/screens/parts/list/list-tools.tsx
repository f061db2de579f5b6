import type { ComponentChildren } from 'preact'
import { SearchBox } from '../../../ui/search-box.tsx'
import { t } from '../../../words/words.ts'
import { ListFilters } from './list-filters.tsx'
import { StateTabs } from './state-tabs.tsx'
import type { OpenList } from './use-list.ts'
import './list-tools.css'

interface ListToolsProps {
  readonly list: OpenList
  /** Further tools. */
  readonly children?: ComponentChildren
}

/** Searching and filtering, above a list. */
export function ListTools({ list: { name, type, view, show }, children }: ListToolsProps) {
  return (
    <div class="q-list-tools">
      <SearchBox label={t.list.search} value={view.search} onSearch={(search) => show({ search })} />
      <StateTabs type={type} chosen={view.state} onChoose={(state) => show({ state })} />
      {children}
      <ListFilters name={name} type={type} view={view} onChange={(filters) => show({ filters })} />
    </div>
  )
}
