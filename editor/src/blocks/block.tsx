import { useComputed } from '@preact/signals'
import type { WidgetInfo } from 'quire-client'
import { useEditor } from '../data/editor.ts'
import { WithBeside } from '../fields/beside.tsx'
import type { ListActions } from '../fields/lists/list-actions.ts'
import { ListItem } from '../fields/lists/list-item.tsx'
import { titleOfItem } from '../fields/lists/summary.ts'
import { Fields } from '../fields/object-field.tsx'
import type { Group, Leaf } from '../model/form.ts'
import { t } from '../words/words.ts'
import { infoOfBlock, labelOfBlock } from './block-kinds.ts'
import { BlockParts } from './block-parts.tsx'
import { type OtherBlocks, TextBlock } from './text-block.tsx'
import { UnknownBlock } from './unknown-block.tsx'

interface BlockProps {
  readonly item: Group
  readonly actions: ListActions
  readonly startsOpen: boolean
  readonly others: OtherBlocks
}

/** One block of an area. A text has no frame; what the editor does not know stays as it is. */
export function Block({ item, actions, startsOpen, others }: BlockProps) {
  const { schema } = useEditor()
  const info = infoOfBlock(schema.value, item)
  const name = useComputed(() => {
    const number = actions.items.ids.value.indexOf(item.id ?? '') + 1
    return t.blocks.numbered(labelOfBlock(schema.value, item.value.value), number)
  })
  const line = useComputed(() => titleOfItem(item, info?.titleField))
  const text = info === null ? null : onlyText(item, info)
  const look = info === null || text !== null ? 'text' : 'box'
  return (
    <ListItem item={item} name={name} line={line} actions={actions} look={look} startsOpen={startsOpen}>
      {() => {
        if (info === null) return <UnknownBlock item={item} />
        return (
          <BlockParts item={item} info={info} name={name}>
            {text !== null && (
              <WithBeside node={text}>
                <TextBlock leaf={text} block={name} others={others} />
              </WithBeside>
            )}
            {text === null && (
              <Fields group={item} sections={info.groups} only={info.fields.map(({ name: one }) => one)} />
            )}
          </BlockParts>
        )
      }}
    </ListItem>
  )
}

/** The text of a block that has nothing else. */
function onlyText({ children }: Group, { fields }: WidgetInfo): Leaf | null {
  const [field, ...others] = fields
  const node = field === undefined || others.length > 0 ? undefined : children.get(field.name)
  return node?.kind === 'leaf' && node.field.type === 'richText' ? node : null
}
