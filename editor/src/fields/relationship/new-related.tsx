import { useSignal } from '@preact/signals'
import type { TypeInfo } from 'quire-client'
import { useEditor } from '../../data/editor.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { t } from '../../words/words.ts'
import { NewDialog } from './new-dialog.tsx'
import type { Choosable } from './use-chosen.ts'

interface NewRelatedProps {
  readonly types: readonly string[]
  readonly offBecause: string | null
  readonly onMade: (document: Choosable) => void
}

/** Makes a document of one of these types in place. Pages are made in the tree, where they get their place. */
export function NewRelated({ types, offBecause, onMade }: NewRelatedProps) {
  const { schema } = useEditor()
  const making = useSignal<string | null>(null)
  const made = types.flatMap((name): [string, TypeInfo][] => {
    const type = schema.value.types[name]
    return type?.family === 'piece' && !type.singleton ? [[name, type]] : []
  })
  const reasonFor = ({ denied }: TypeInfo) => (denied.createDraft ? t.roles.reason(denied.createDraft) : offBecause)
  const [first] = made
  if (first === undefined) return null
  const begin = (name: string) => {
    making.value = name
  }
  const type = made.find(([name]) => name === making.value)?.[1]
  return (
    <>
      {made.length === 1 ? (
        <Button offBecause={reasonFor(first[1])} onPress={() => begin(first[0])}>
          {t.related.create(first[1].label)}
        </Button>
      ) : (
        <Menu
          label={t.related.createAny}
          items={made.map(([name, one]) => ({
            label: t.related.create(one.label),
            offBecause: reasonFor(one),
            onChoose: () => begin(name),
          }))}
        />
      )}
      {making.value !== null && type && (
        <NewDialog
          name={making.value}
          type={type}
          onMade={onMade}
          onClose={() => {
            making.value = null
          }}
        />
      )}
    </>
  )
}
