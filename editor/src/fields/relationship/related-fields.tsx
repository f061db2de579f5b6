import { effect } from '@preact/signals'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import { newId } from '../../base/ids.ts'
import { useEditor } from '../../data/editor.ts'
import type { Leaf } from '../../model/form.ts'
import { relatedGroup, saidOf } from '../../model/related.ts'
import { useNestedField } from '../nested.ts'

/** Of pictures: the part that is shown, which is chosen by eye. */
const CROP = new Set(['x', 'y', 'left', 'top', 'width', 'height'])

/** The fields of the relationship for a chosen document, below it. */
export function RelatedFields({ leaf, docId }: { readonly leaf: Leaf; readonly docId: string }) {
  const Field = useNestedField()
  const { schema, place } = useEditor()
  const isOfPictures = leaf.field.options.withType?.includes(`${place.namespace}/image`) === true
  const fields = (leaf.field.fields ?? []).filter(({ name }) => !(isOfPictures && CROP.has(name)))
  const live = useMemo(
    () => relatedGroup(schema.peek(), leaf, docId, { fields: leaf.field.fields ?? [], newId }),
    [leaf, docId, schema],
  )
  useLayoutEffect(() => effect(() => live.take(saidOf(leaf.value.value, docId))), [live, leaf, docId])
  const nodes = fields.flatMap(({ name }) => live.node.children.get(name) ?? [])
  if (nodes.length === 0) return null
  return (
    <div class="q-fields">
      {nodes.map((node) => (
        <Field key={node.path.join('.')} node={node} />
      ))}
    </div>
  )
}
