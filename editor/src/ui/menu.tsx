import { FocusKeys, focusZone } from '@primer/behaviors'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'
import './menu.css'

/** One entry: a button, a link, or one that is off and says why. */
export interface MenuItem {
  readonly label: string
  readonly onChoose: () => void
  readonly offBecause?: string | null
  readonly isDangerous?: boolean
  /** Of entries of which one is chosen. */
  readonly isChosen?: boolean
}

interface MenuProps {
  readonly label: string
  /** The content of the button; its name is `label` then. */
  readonly children?: ComponentChildren
  readonly items: readonly MenuItem[]
  readonly kind?: 'plain' | 'quiet' | 'primary'
  /** Of the button, where another part moves the focus to it. */
  readonly tabIndex?: 0 | -1
}

/** A button that opens a list of actions. Arrow keys move, Enter chooses, Escape closes. */
export function Menu({ label, children, items, kind = 'plain', tabIndex = 0 }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  const id = useId()
  const button = () => place.current?.querySelector('button')
  const close = (isFocusBack: boolean) => {
    setOpen(false)
    if (isFocusBack) button()?.focus()
  }
  return (
    <span ref={place} class="q-menu-place">
      <Button
        kind={kind}
        {...(children ? { label } : {})}
        onPress={() => setOpen(!isOpen)}
        attributes={{
          tabIndex,
          'aria-haspopup': 'menu',
          'aria-expanded': isOpen,
          'aria-controls': isOpen ? id : undefined,
          onKeyDown: (event) => {
            if (event.key !== 'ArrowDown' || isOpen) return
            event.preventDefault()
            setOpen(true)
          },
        }}
      >
        {children ?? label}
      </Button>
      {isOpen && <MenuList id={id} label={label} items={items} close={close} />}
    </span>
  )
}

interface MenuListProps {
  readonly id: string
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly close: (isFocusBack: boolean) => void
}

function MenuList({ id, label, items, close }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null)
  const reasons = useId()
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const zone = focusZone(element, {
      bindKeys: FocusKeys.ArrowVertical | FocusKeys.HomeAndEnd,
      focusOutBehavior: 'wrap',
    })
    const outside = (event: Event) => {
      if (event.target instanceof Node && !element.parentElement?.contains(event.target)) close(false)
    }
    document.addEventListener('pointerdown', outside)
    ;(element.querySelector<HTMLElement>('[aria-checked=true]') ?? element.querySelector('button'))?.focus()
    return () => {
      zone.abort()
      document.removeEventListener('pointerdown', outside)
    }
  }, [])
  return (
    <div
      ref={list}
      id={id}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      class="q-menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        close(true)
      }}
      onFocusOut={({ relatedTarget: next }) => {
        if (next instanceof Node && !list.current?.parentElement?.contains(next)) close(false)
      }}
    >
      {items.map((item, index) => {
        const reason = item.offBecause ?? null
        return (
          <button
            key={item.label}
            type="button"
            {...(item.isChosen === undefined
              ? { role: 'menuitem' }
              : { role: 'menuitemradio', 'aria-checked': item.isChosen })}
            aria-disabled={reason === null ? undefined : 'true'}
            aria-describedby={reason === null ? undefined : `${reasons}-${index}`}
            class={item.isDangerous ? 'q-menu-item q-menu-item--dangerous' : 'q-menu-item'}
            onClick={() => {
              if (reason !== null) return
              close(true)
              item.onChoose()
            }}
          >
            <span>{item.label}</span>
            {reason !== null && (
              <small id={`${reasons}-${index}`} class="q-menu-reason">
                {reason}
              </small>
            )}
          </button>
        )
      })}
    </div>
  )
}
