import type { Schema } from 'quire-client'
import { titleOfItem } from '../fields/lists/summary.ts'
import type { FormNode, Group, Items, OpenDocument, Path } from '../model/form.ts'
import { t } from '../words/words.ts'
import { labelOfBlock } from './block-kinds.ts'

/** Where a path leads, in words: the items, blocks and groups on the way, and the field. Empty where there is nothing. */
export function placeInWords(schema: Schema, document: OpenDocument, path: Path): string {
  const nodes = path.map((_, index) => document.node(path.slice(0, index + 1)))
  const names = nodes.map((node, index) => nameOf(schema, node, nodes[index - 1] ?? null, index === path.length - 1))
  return t.document.place(names.filter((name) => name !== ''))
}

/** A list on the way is named by its item. */
function nameOf(schema: Schema, node: FormNode | null, above: FormNode | null, isLast: boolean): string {
  if (node === null || (node.kind === 'items' && !isLast)) return ''
  if (above?.kind === 'items' && node.kind === 'group') return nameOfItem(schema, above, node)
  return node.field?.label ?? ''
}

function nameOfItem(schema: Schema, { field, ids }: Items, item: Group): string {
  const number = ids.value.indexOf(item.id ?? '') + 1
  if (field.type === 'area') return t.blocks.numbered(labelOfBlock(schema, item.value.value), number)
  return titleOfItem(item, field.options.titleField) || t.blocks.numbered(field.label, number)
}
