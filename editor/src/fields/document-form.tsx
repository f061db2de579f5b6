import { useSignal } from '@preact/signals'
import { useContext, useEffect, useMemo } from 'preact/hooks'
import type { GroupInfo, TypeInfo } from 'quire-client'
import type { Group } from '../model/form.ts'
import { Tabs } from '../ui/tabs.tsx'
import { t } from '../words/words.ts'
import { Field } from './field.tsx'
import { focusField, GoTo } from './go-to.ts'
import { NestedField } from './nested.ts'
import { OfDocument } from './of-document.ts'

/** Documents are archived and restored as a whole, by an action. */
const ARCHIVED = 'archived'
/** It comes last: what is written comes before who may see it. */
const VISIBILITY = 'visibility'

interface DocumentFormProps {
  readonly root: Group
  readonly type: TypeInfo
  readonly typeName: string
}

/** The form of a document: its groups as tabs, where it has any. */
export function DocumentForm({ root, type, typeName }: DocumentFormProps) {
  const groups = tabsOf(type, root)
  const of = useMemo(() => ({ root, type, typeName }), [root, type, typeName])
  const chosen = useSignal(groups[0]?.name ?? '')
  const { value: wanted } = useContext(GoTo)
  useEffect(() => {
    if (wanted === null) return
    chosen.value = groups.find(({ fields }) => fields.includes(wanted[0] ?? ''))?.name ?? chosen.value
    focusField(wanted)
  }, [wanted])
  const shown = groups.find(({ name }) => name === chosen.value) ?? groups[0]
  const fields = (shown?.fields ?? []).flatMap((name) => {
    const node = root.children.get(name)
    return node ? [<Field key={name} node={node} />] : []
  })
  return (
    <NestedField.Provider value={Field}>
      <OfDocument.Provider value={of}>
        {groups.length > 1 && shown ? (
          <Tabs
            label={t.form.groups}
            tabs={groups.map(({ name, label, fields }) => ({ name, label, badge: countOf(fields, root) }))}
            chosen={shown.name}
            onChoose={(name) => {
              chosen.value = name
            }}
          >
            <div class="q-fields">{fields}</div>
          </Tabs>
        ) : (
          <div class="q-fields">{fields}</div>
        )}
      </OfDocument.Provider>
    </NestedField.Provider>
  )
}

/** The declared groups, and one for the fields that are in none, first. */
function tabsOf({ groups, fields }: TypeInfo, root: Group): readonly GroupInfo[] {
  const grouped = new Set(groups.flatMap((group) => group.fields))
  const isOther = (name: string) => !grouped.has(name) && name !== ARCHIVED && root.children.has(name)
  const others = fields.map(({ name }) => name).filter(isOther)
  const ordered = others.toSorted((a, b) => Number(a === VISIBILITY) - Number(b === VISIBILITY))
  return others.length === 0 ? groups : [{ name: '', label: t.form.others, fields: ordered }, ...groups]
}

/** How many problems lie in some fields, as text. */
function countOf(names: readonly string[], root: Group): string | null {
  const count = names.reduce((sum, name) => sum + (root.children.get(name)?.problems.value.length ?? 0), 0)
  return count === 0 ? null : String(count)
}
