import { useEditor } from '../../../data/editor.ts'
import { titleOfItem } from '../../../fields/lists/summary.ts'
import type { Items } from '../../../model/form.ts'
import { Button } from '../../../ui/button.tsx'
import { t } from '../../../words/words.ts'
import type { Original } from './original.ts'

interface MissingItemsProps {
  readonly items: Items
  readonly there: Items
  readonly original: Original
}

/** Items and blocks that are only in the other copy, to be added at their places. */
export function MissingItems({ items, there, original: { label, language } }: MissingItemsProps) {
  const { schema } = useEditor()
  const here = new Set(items.ids.value)
  const missing = there.ids.value.filter((id) => !here.has(id))
  if (missing.length === 0) return null
  const nameOf = (id: string) => {
    const item = there.item(id)
    const kind = schema.value.widgets[item.widgetType ?? '']?.label ?? there.field.label
    return [kind, titleOfItem(item, there.field.options.titleField)].filter(Boolean).join(': ')
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in.
    <div role="group" class="q-original" aria-label={t.locales.original(items.field.label, label)}>
      <span class="q-original-name">{t.locales.onlyThere(label)}</span>
      {missing.map((id) => (
        <div key={id} class="q-row">
          <span {...language}>{nameOf(id)}</span>
          <Button
            label={`${t.locales.addHere}: ${nameOf(id)}`}
            offBecause={items.isLocked ? t.form.readOnly : null}
            onPress={() => void items.insert(there.item(id).value.peek(), placeOf(id, items, there))}
          >
            {t.locales.addHere}
          </Button>
        </div>
      ))}
    </div>
  )
}

/** After the nearest item before it that is in both copies. */
function placeOf(id: string, items: Items, there: Items): number {
  const before = there.ids.peek().slice(0, there.ids.peek().indexOf(id))
  const here = items.ids.peek()
  return here.indexOf(before.findLast((one) => here.includes(one)) ?? '') + 1
}
