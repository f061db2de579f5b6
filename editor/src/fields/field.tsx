import { AreaField } from '../blocks/area-field.tsx'
import type { FormNode } from '../model/form.ts'
import { WithBeside } from './beside.tsx'
import { LeafField } from './leaf-field.tsx'
import { ArrayField } from './lists/array-field.tsx'
import { ObjectField } from './object-field.tsx'

/** A field of a form, whatever it is; nothing while its conditions do not hold. */
export function Field({ node }: { readonly node: FormNode }) {
  if (!node.isShown.value) return null
  return (
    <WithBeside node={node}>
      <Kind node={node} />
    </WithBeside>
  )
}

function Kind({ node }: { readonly node: FormNode }) {
  switch (node.kind) {
    case 'leaf':
      return <LeafField leaf={node} />
    case 'group':
      return <ObjectField group={node} />
    case 'items':
      return node.field.type === 'area' ? <AreaField items={node} /> : <ArrayField items={node} />
  }
}
