import { useComputed } from '@preact/signals'
import { Plus } from 'lucide'
import type { Group, Items } from '../../model/form.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../words/words.ts'
import { FieldGroup } from '../field-group.tsx'
import { Fields } from '../object-field.tsx'
import { boundOf, type ListActions, useListActions } from './list-actions.ts'
import { ListItem } from './list-item.tsx'
import { titleOfItem } from './summary.ts'

/** Longer arrays begin closed. */
const OPEN_UP_TO = 3

/** The items of an array, each with its fields. */
export function ArrayField({ items }: { readonly items: Items }) {
  const { field, ids } = items
  const actions = useListActions(items, (id) => titleOfItem(items.item(id), field.options.titleField) || field.label)
  return (
    <FieldGroup node={items} field={field} hint={t.blocks.bounds(boundOf(items, 'min'), boundOf(items, 'max'))}>
      {ids.value.map((id) => (
        <ArrayItem key={id} item={items.item(id)} actions={actions} startsOpen={ids.value.length <= OPEN_UP_TO} />
      ))}
      <Button onPress={() => actions.add(items.blank(), items.ids.peek().length)} offBecause={actions.fullBecause()}>
        <Icon of={Plus} />
        {t.blocks.add(field.label)}
      </Button>
    </FieldGroup>
  )
}

interface ArrayItemProps {
  readonly item: Group
  readonly actions: ListActions
  readonly startsOpen: boolean
}

function ArrayItem({ item, actions, startsOpen }: ArrayItemProps) {
  const { field, ids } = actions.items
  const name = useComputed(
    () =>
      titleOfItem(item, field.options.titleField) ||
      t.blocks.numbered(field.label, ids.value.indexOf(item.id ?? '') + 1),
  )
  return (
    <ListItem
      item={item}
      name={name}
      actions={actions}
      look={field.options.inline ? 'row' : 'box'}
      startsOpen={startsOpen}
    >
      {() => <Fields group={item} sections={field.groups ?? []} />}
    </ListItem>
  )
}
