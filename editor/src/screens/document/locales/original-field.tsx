import { useContext } from 'preact/hooks'
import { directionOf } from '../../../fields/control.ts'
import { wordsOfLeaf } from '../../../fields/lists/summary.ts'
import type { FormNode, Leaf } from '../../../model/form.ts'
import { sameJson } from '../../../model/json.ts'
import { Button } from '../../../ui/button.tsx'
import { SafeHtml } from '../../../ui/safe-html.tsx'
import { t } from '../../../words/words.ts'
import { Difference } from '../../parts/changes/difference.tsx'
import { MissingItems } from './missing-items.tsx'
import { type Original, OriginalContext } from './original.ts'

/** The field in the other copy: its text, to be copied over, or the items that are only there. */
export function OriginalField({ node }: { readonly node: FormNode }) {
  const original = useContext(OriginalContext)
  const found = original?.document.node(node.path) ?? null
  if (original === null || found === null) return null
  if (node.kind === 'items' && found.kind === 'items')
    return <MissingItems items={node} there={found} original={original} />
  if (node.kind !== 'leaf' || found.kind !== 'leaf') return null
  return <OriginalValue leaf={node} there={found} original={original} />
}

interface OriginalValueProps {
  readonly leaf: Leaf
  readonly there: Leaf
  readonly original: Original
}

function OriginalValue({ leaf, there, original: { label, language, rows } }: OriginalValueProps) {
  const row = rows.get(leaf.path.join('.'))
  const words = wordsOfLeaf(there)
  if (words === '' && row === undefined) return null
  const { value } = there.value
  const off = leaf.isLocked ? t.form.readOnly : sameJson(leaf.value.value, value) ? t.locales.isSame : null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in.
    <div role="group" class="q-original" aria-label={t.locales.original(leaf.field.label, label)}>
      <span class="q-original-name">{label}</span>
      <div {...language}>
        {row ? (
          <Difference row={row} />
        ) : there.field.type === 'richText' ? (
          <SafeHtml html={String(value ?? '')} class="q-resting" />
        ) : (
          <p dir={directionOf(there.field) ?? undefined}>{words}</p>
        )}
      </div>
      <Button offBecause={off} onPress={() => leaf.set(value)}>
        {t.locales.copyOver}
      </Button>
    </div>
  )
}
