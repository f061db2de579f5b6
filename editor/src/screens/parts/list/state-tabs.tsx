import type { TypeInfo } from 'quire-client'
import { t } from '../../../words/words.ts'
import { type ListState, STATES } from './list-view.ts'

interface StateTabsProps {
  readonly type: TypeInfo
  readonly chosen: ListState | null
  readonly onChoose: (state: ListState | null) => void
}

/** Narrows a list to a state. Types without drafts are published or archived. */
export function StateTabs({ type, chosen, onChoose }: StateTabsProps) {
  const states = type.localized ? STATES : (['archived'] as const)
  return (
    <fieldset aria-label={t.list.states} class="q-list-states">
      {[null, ...states].map((state) => (
        <button
          key={state}
          type="button"
          class="q-button q-button--quiet"
          aria-pressed={state === chosen}
          onClick={() => onChoose(state)}
        >
          {state === null ? t.list.allStates : t.states[state]}
        </button>
      ))}
    </fieldset>
  )
}
