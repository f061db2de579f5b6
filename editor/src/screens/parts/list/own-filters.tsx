import type { TypeInfo } from 'quire-client'
import { type Editor, useEditor } from '../../../data/editor.ts'
import { t } from '../../../words/words.ts'
import { FILTER } from './built-in-filters.ts'
import { ChoiceFilter, type FilterChoice } from './choice-filter.tsx'
import type { FilterProps } from './filter-props.ts'
import { KindFilter } from './kind-filter.tsx'
import { SizeFilter } from './size-filter.tsx'

type Named = Pick<FilterProps, 'name' | 'type'>

const isUpload = ({ place }: Pick<Editor, 'place'>, name: string, kinds: readonly string[]) =>
  kinds.some((kind) => name === `${place.namespace}/${kind}`)

/** Whether lists of a type have filters that are about no field. */
export function hasOwnFilters(editor: Editor, { name, type }: Named): boolean {
  return Boolean(type.scheduling) || languages(editor, type).length > 0 || isUpload(editor, name, ['image', 'file'])
}

/** Filters that are about no field: schedules, other languages, the kind and the size of files. */
export function OwnFilters(props: FilterProps) {
  const editor = useEditor()
  const { name, type, view, onChange } = props
  const shared = { filters: view.filters, onChange }
  const inLanguages = languages(editor, type)
  return (
    <>
      {type.scheduling && (
        <ChoiceFilter {...shared} name={FILTER.scheduled} label={t.list.scheduled} choices={scheduled()} />
      )}
      {inLanguages.length > 0 && (
        <ChoiceFilter {...shared} name={FILTER.language} label={t.list.language} choices={inLanguages} />
      )}
      {isUpload(editor, name, ['image', 'file']) && <KindFilter {...props} />}
      {isUpload(editor, name, ['image']) && <SizeFilter {...props} />}
    </>
  )
}

function scheduled(): readonly FilterChoice[] {
  return [
    { value: 'publishAt', label: t.list.toBePublished },
    { value: 'archiveAt', label: t.list.toBeArchived },
  ]
}

/** The filters by other languages: documents that lack one, or have one that is older. */
function languages({ schema, locale }: Pick<Editor, 'schema' | 'locale'>, type: TypeInfo): readonly FilterChoice[] {
  const others = Object.entries(schema.value.site.locales).filter(([name]) => name !== locale.value)
  if (!type.localized) return []
  return others.flatMap(([name, { label }]) => [
    { value: `missingIn:${name}`, label: t.list.missingIn(label) },
    { value: `outdatedIn:${name}`, label: t.list.outdatedIn(label) },
  ])
}
