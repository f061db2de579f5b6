import type { Json } from 'quire-client'
import type { Group } from '../model/form.ts'
import { t } from '../words/words.ts'

/** Properties of every block. */
const SHELL = ['_id', 'metaType', 'type', '_edit', '_docId']

/** A block of a type that the editor does not know: what it holds, to be read. */
export function UnknownBlock({ item }: { readonly item: Group }) {
  const values = Object.entries(item.value.value).filter(([name, value]) => !SHELL.includes(name) && isPlain(value))
  return (
    <div class="q-unknown-block">
      <p>{t.blocks.unknown}</p>
      {values.length > 0 && (
        <dl>
          {values.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

function isPlain(value: Json | undefined): boolean {
  return value !== null && value !== undefined && value !== '' && typeof value !== 'object'
}
