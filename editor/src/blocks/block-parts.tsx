import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { WidgetInfo } from 'quire-client'
import { useGoTo } from '../fields/go-to.ts'
import { Fields } from '../fields/object-field.tsx'
import { problemCount } from '../fields/problem-count.ts'
import { Resettable } from '../fields/reset.tsx'
import type { Group } from '../model/form.ts'
import { Tabs } from '../ui/tabs.tsx'
import { t } from '../words/words.ts'

interface BlockPartsProps {
  readonly item: Group
  readonly info: WidgetInfo
  readonly name: ReadonlySignal<string>
  /** The content of the block. */
  readonly children: ComponentChildren
}

/** The content of a block, and in a tab of its own its styles, where the site lets them be set. */
export function BlockParts({ item, info, name, children }: BlockPartsProps) {
  const chosen = useSignal<'content' | 'styles'>('content')
  const styles = (info.styles ?? []).map((field) => field.name)
  const contents = info.fields.map((field) => field.name)
  useGoTo(item.path, (wanted) => {
    chosen.value = styles.includes(wanted[item.path.length] ?? '') ? 'styles' : 'content'
  })
  if (styles.length === 0) return children
  return (
    <Tabs
      label={t.styles.parts(name.value)}
      tabs={[
        { name: 'content', label: t.styles.content, badge: problemCount(item, contents) },
        { name: 'styles', label: t.blocks.styles, badge: problemCount(item, styles) },
      ]}
      chosen={chosen.value}
      onChoose={(part) => {
        chosen.value = part === 'styles' ? part : 'content'
      }}
    >
      {chosen.value === 'content' ? (
        children
      ) : (
        <Resettable.Provider value={true}>
          <Fields group={item} only={styles} />
        </Resettable.Provider>
      )}
    </Tabs>
  )
}
