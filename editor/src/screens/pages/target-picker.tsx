import { type Signal, useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { SearchBox } from '../../ui/search-box.tsx'
import { t } from '../../words/words.ts'
import type { PageRequests } from './page-requests.ts'
import type { PageRow } from './page-row.ts'
import type { Choice } from './target-choice.ts'
import { TargetLevel } from './target-level.tsx'
import { TargetsFound } from './targets-found.tsx'
import './page-dialogs.css'

interface TargetPickerProps {
  readonly requests: PageRequests
  /** The page that moves: neither it nor what is below it can be chosen. */
  readonly moving: PageRow | null
  readonly chosen: Signal<Choice | null> | Signal<Choice>
}

/** Chooses a page: by words of its title, or by going down the tree, one level at a time. */
export function TargetPicker({ requests, moving, chosen }: TargetPickerProps) {
  const name = useId()
  const words = useSignal('')
  const way = useSignal<readonly Choice[]>([])
  const choose = (choice: Choice) => {
    chosen.value = choice
  }
  const common = { name, chosenId: chosen.value?.docId ?? null, onChoose: choose }
  return (
    <fieldset class="q-target">
      <legend class="q-field-label">{t.tree.where}</legend>
      <SearchBox
        label={t.list.search}
        value=""
        onSearch={(typed) => {
          words.value = typed.trim()
        }}
      />
      {words.value === '' ? (
        <TargetLevel requests={requests} moving={moving} way={way} common={common} />
      ) : (
        <TargetsFound words={words.value} moving={moving} common={common} />
      )}
    </fieldset>
  )
}
