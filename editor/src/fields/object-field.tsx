import type { GroupInfo } from 'quire-client'
import type { FormNode, Group } from '../model/form.ts'
import { FieldGroup } from './field-group.tsx'
import { useNestedField } from './nested.ts'

/** The fields of an object, in a frame that its label names. */
export function ObjectField({ group }: { readonly group: Group }) {
  const { field } = group
  if (field === null) return <Fields group={group} />
  return (
    <FieldGroup node={group} field={field}>
      <Fields group={group} sections={field.groups ?? []} />
    </FieldGroup>
  )
}

interface FieldsProps {
  readonly group: Group
  /** Fields that are shown together, under a heading. */
  readonly sections?: readonly GroupInfo[]
  /** The names of the fields that are drawn, in this order; all where they are left out. */
  readonly only?: readonly string[]
}

/** The fields of a group, one below the other: first those that are in no section. */
export function Fields({ group, sections = [], only }: FieldsProps) {
  const names = only?.filter((name) => group.children.has(name)) ?? [...group.children.keys()]
  const grouped = new Set(sections.flatMap(({ fields }) => fields))
  const nodesOf = (wanted: readonly string[]) => wanted.flatMap((name) => group.children.get(name) ?? [])
  const filled = sections.map((section) => ({
    ...section,
    fields: section.fields.filter((name) => names.includes(name)),
  }))
  return (
    <div class="q-fields">
      <Nodes nodes={nodesOf(names.filter((name) => !grouped.has(name)))} />
      {filled.map(({ name, label, fields }) =>
        fields.length === 0 ? null : (
          <fieldset key={name} class="q-section">
            <legend>{label}</legend>
            <Nodes nodes={nodesOf(fields)} />
          </fieldset>
        ),
      )}
    </div>
  )
}

function Nodes({ nodes }: { readonly nodes: readonly FormNode[] }) {
  const Field = useNestedField()
  return (
    <>
      {nodes.map((node) => (
        <Field key={node.path.at(-1)} node={node} />
      ))}
    </>
  )
}
