import type { ChangeRow, Json } from 'quire-client'
import { longestInOrder } from '../../../model/patching/list-steps.ts'
import { t } from '../../../words/words.ts'

/** The items of both sides in their order; those that moved say so. */
export function ChangedOrder({ row }: { readonly row: ChangeRow }) {
  const [before, after] = [idsOf(row.old), idsOf(row.new)]
  const staying = longestInOrder(before, after)
  const sides = [
    { label: t.changes.before, names: namesOf(row.oldText, before), ids: before },
    { label: t.changes.after, names: namesOf(row.newText, after), ids: after },
  ]
  return (
    <div class="q-change-sides">
      {sides.map(({ label, names, ids }) => (
        <figure key={label}>
          <figcaption>{label}</figcaption>
          <ol class="q-change-order">
            {names.map((name, index) => (
              <li key={`${index} ${name}`}>
                {ids.length !== names.length || staying.has(ids[index] ?? '') ? name : t.changes.moved(name)}
              </li>
            ))}
          </ol>
        </figure>
      ))}
    </div>
  )
}

function idsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** The service lists titles one after another; those that have commas themselves stay together. */
function namesOf(text: string, ids: readonly string[]): readonly string[] {
  const names = text.split(', ')
  return names.length === ids.length ? names : [text]
}
