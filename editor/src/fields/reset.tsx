import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { defaultOf, isDefault } from '../model/defaults.ts'
import type { Leaf } from '../model/form.ts'
import { Button } from '../ui/button.tsx'
import { announce } from '../ui/live.tsx'
import { t } from '../words/words.ts'

/** Whether fields can be given their default again: those that say how something looks. */
export const Resettable = createContext(false)

/** Gives a field its default again, where it has another value. */
export function Reset({ leaf }: { readonly leaf: Leaf }) {
  const isOffered = useContext(Resettable) && !leaf.isLocked
  const { field } = leaf
  if (!isOffered || isDefault(field, leaf.value.value)) return null
  return (
    <Button
      kind="quiet"
      label={t.styles.resetOf(field.label)}
      onPress={({ currentTarget }) => {
        const place = currentTarget.closest('.q-field')
        leaf.set(defaultOf(field))
        announce(t.styles.wasReset(field.label))
        place?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
      }}
    >
      {t.styles.reset}
    </Button>
  )
}
