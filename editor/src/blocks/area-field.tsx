import { Fragment } from 'preact'
import { useContext } from 'preact/hooks'
import { useEditor } from '../data/editor.ts'
import { FieldGroup } from '../fields/field-group.tsx'
import { boundOf, useListActions } from '../fields/lists/list-actions.ts'
import type { Items } from '../model/form.ts'
import { t } from '../words/words.ts'
import { Around, useMovingOut } from './around.ts'
import { Block } from './block.tsx'
import { BlockAdder } from './block-adder.tsx'
import { kindsOf, labelOfBlock } from './block-kinds.ts'
import './area-field.css'

/** From so many blocks on they begin closed. */
const CLOSED_FROM = 8

/** The blocks of an area, with places to add others before, between and after them. */
export function AreaField({ items }: { readonly items: Items }) {
  const { schema } = useEditor()
  const { field, ids } = items
  const titleOf = (id: string) => labelOfBlock(schema.value, items.item(id).value.peek())
  const actions = useMovingOut(useListActions(items, titleOf), titleOf)
  const around = useContext(Around)
  const adder = {
    kinds: kindsOf(schema.value, field),
    listLabel: t.blocks.choose(field.label),
    offBecause: actions.fullBecause(),
  }
  const add = (type: string, at: number) => actions.add(items.blank(type), at)
  const startsOpen = ids.value.length < CLOSED_FROM
  return (
    <FieldGroup node={items} field={field} hint={t.blocks.bounds(boundOf(items, 'min'), boundOf(items, 'max'))}>
      {ids.value.map((id, index) => (
        <Fragment key={id}>
          {adder.offBecause === null && (
            <BlockAdder
              {...adder}
              isBetween
              label={t.blocks.addBefore(t.blocks.numbered(titleOf(id), index + 1))}
              onChoose={(type) => add(type, index)}
            />
          )}
          <Around.Provider value={{ actions, kinds: adder.kinds, holder: id, around }}>
            <Block
              item={items.item(id)}
              actions={actions}
              startsOpen={startsOpen}
              others={{
                label: adder.listLabel,
                kinds: adder.kinds,
                onChoose: (type) => actions.replace(id, items.blank(type)),
              }}
            />
          </Around.Provider>
        </Fragment>
      ))}
      {ids.value.length === 0 && <p class="q-area-empty">{t.blocks.empty}</p>}
      <BlockAdder
        {...adder}
        label={t.blocks.addBlock(field.label)}
        onChoose={(type) => add(type, items.ids.peek().length)}
      />
    </FieldGroup>
  )
}
