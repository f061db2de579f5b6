import { useSignal } from '@preact/signals'
import { useContext, useEffect, useRef } from 'preact/hooks'
import { useEditor } from '../data/editor.ts'
import { type Ask, useAsked } from '../fields/asked.ts'
import { FieldGroup } from '../fields/field-group.tsx'
import { boundOf, type ListActions, useListActions } from '../fields/lists/list-actions.ts'
import type { Items } from '../model/form.ts'
import { AT_FIRST, InTurn } from '../ui/in-turn.tsx'
import { announce } from '../ui/live.tsx'
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
  const open = useSignal<number | null>(null)
  const adder = {
    open,
    kinds: kindsOf(schema.value, field),
    listLabel: t.blocks.choose(field.label),
    offBecause: actions.fullBecause(),
    onChoose: (type: string, at: number) => actions.add(items.blank(type), at),
  }
  useAsked(items, ({ id, wish }) => {
    const reason = wish === 'add' ? actions.fullBecause() : actions.lock
    if (reason !== null) announce(reason)
    else if (wish === 'add') addAfter(id)
    else if (id !== null) act(actions, id, wish)
  })
  const addAfter = (id: string | null) => {
    const at = id === null ? 0 : ids.peek().indexOf(id) + 1
    const [only, ...others] = adder.kinds
    if (only && others.length === 0) adder.onChoose(only.type, at)
    else open.value = at
  }
  const isDrawn = useRef(false)
  useEffect(() => {
    isDrawn.current = true
  }, [])
  const startsOpen = ids.value.length < CLOSED_FROM
  return (
    <FieldGroup node={items} field={field} hint={t.blocks.bounds(boundOf(items, 'min'), boundOf(items, 'max'))}>
      {ids.value.map((id, index) => (
        <InTurn key={id} isLater={!isDrawn.current && index >= AT_FIRST}>
          {() => (
            <>
              {adder.offBecause === null && (
                <BlockAdder
                  {...adder}
                  isBetween
                  at={index}
                  label={t.blocks.addBefore(t.blocks.numbered(titleOf(id), index + 1))}
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
            </>
          )}
        </InTurn>
      ))}
      {ids.value.length === 0 && <p class="q-area-empty">{t.blocks.empty}</p>}
      <BlockAdder {...adder} at={ids.value.length} label={t.blocks.addBlock(field.label)} />
    </FieldGroup>
  )
}

function act({ items, move, remove }: ListActions, id: string, wish: Exclude<Ask['wish'], 'add'>): void {
  const all = items.ids.peek()
  if (wish === 'remove') remove(id)
  else if (wish === 'up' && all[0] === id) announce(t.blocks.isFirst)
  else if (wish === 'down' && all.at(-1) === id) announce(t.blocks.isLast)
  else move(id, wish === 'up' ? -1 : 1)
}
