import { FocusKeys, focusZone } from '@primer/behaviors'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import './tabs.css'

/** One tab: its name, and how many problems lie in it. */
export interface Tab {
  readonly name: string
  readonly label: string
  readonly badge?: string | null
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly chosen: string
  readonly onChoose: (name: string) => void
  readonly children: ComponentChildren
}

/** Tabs above their panel. Arrow keys move and choose. */
export function Tabs({ label, tabs, chosen, onChoose, children }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    if (!list.current) return
    const zone = focusZone(list.current, {
      bindKeys: FocusKeys.ArrowHorizontal | FocusKeys.HomeAndEnd,
      focusOutBehavior: 'wrap',
      focusInStrategy: () => list.current?.querySelector<HTMLElement>('[aria-selected=true]') ?? undefined,
    })
    return () => zone.abort()
  }, [])
  return (
    <div class="q-tabs">
      <div ref={list} role="tablist" aria-label={label} class="q-tabs-list">
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={tab.name === chosen}
            aria-controls={tab.name === chosen ? `${id}-panel` : undefined}
            class="q-tab"
            onClick={() => onChoose(tab.name)}
            onFocus={() => tab.name !== chosen && onChoose(tab.name)}
          >
            {tab.label}
            {tab.badge && <span class="q-tab-badge">{tab.badge}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} class="q-tabs-panel">
        {children}
      </div>
    </div>
  )
}
