import { useSignal } from '@preact/signals'
import { useContext, useEffect, useMemo } from 'preact/hooks'
import type { GroupInfo, TypeInfo } from 'quire-client'
import type { Group } from '../model/form.ts'
import { Tabs } from '../ui/tabs.tsx'
import { t } from '../words/words.ts'
import { Field } from './field.tsx'
import { focusField, GoTo } from './go-to.ts'
import { NestedField } from './nested.ts'
import { Fields } from './object-field.tsx'
import { OfDocument } from './of-document.ts'
import { problemCount } from './problem-count.ts'

/** Documents are archived and restored as a whole, by an action. */
const ARCHIVED = 'archived'
/** It comes last: what is written comes before who may see it. */
const VISIBILITY = 'visibility'

interface DocumentFormProps {
  readonly root: Group
  readonly type: TypeInfo
  readonly typeName: string
  /** The names of fields that are not drawn. */
  readonly leftOut?: readonly string[]
}

/** The form of a document: its groups as tabs, where it has any. */
export function DocumentForm({ root, type, typeName, leftOut = [] }: DocumentFormProps) {
  const groups = tabsOf(type, root, leftOut)
  const of = useMemo(() => ({ root, type, typeName }), [root, type, typeName])
  const chosen = useSignal(groups[0]?.name ?? '')
  const { value: wanted } = useContext(GoTo)
  useEffect(() => {
    if (wanted === null) return
    chosen.value = groups.find((group) => fieldsOf(group).includes(wanted[0] ?? ''))?.name ?? chosen.value
    focusField(wanted)
  }, [wanted])
  const shown = groups.find(({ name }) => name === chosen.value) ?? groups[0]
  const fields = shown && <Fields group={root} sections={shown.groups ?? []} only={fieldsOf(shown)} />
  return (
    <NestedField.Provider value={Field}>
      <OfDocument.Provider value={of}>
        {groups.length > 1 && shown ? (
          <Tabs
            label={t.form.groups}
            tabs={groups.map((group) => ({ ...group, badge: problemCount(root, fieldsOf(group)) }))}
            chosen={shown.name}
            onChoose={(name) => {
              chosen.value = name
            }}
          >
            {fields}
          </Tabs>
        ) : (
          fields
        )}
      </OfDocument.Provider>
    </NestedField.Provider>
  )
}

/** The declared groups, and one for the fields that are in none, first. */
function tabsOf({ groups, fields }: TypeInfo, root: Group, leftOut: readonly string[]): readonly GroupInfo[] {
  const grouped = new Set([...leftOut, ...groups.flatMap(fieldsOf)])
  const isOther = (name: string) => !grouped.has(name) && name !== ARCHIVED && root.children.has(name)
  const others = fields.map(({ name }) => name).filter(isOther)
  const ordered = others.toSorted((a, b) => Number(a === VISIBILITY) - Number(b === VISIBILITY))
  return others.length === 0 ? groups : [{ name: '', label: t.form.others, fields: ordered }, ...groups]
}

/** The fields of a group, those of its sections among them. */
function fieldsOf({ fields, groups = [] }: GroupInfo): readonly string[] {
  return [...fields, ...groups.flatMap(fieldsOf)]
}
