import { boxOf } from './page-marks.ts'
import { type InsideWords, type Mark, WISHES, type Wish } from './protocol.ts'

const SIGNS: Readonly<Record<'edit' | Wish, string>> = { edit: '✎', add: '+', up: '↑', down: '↓', remove: '✕' }

const STYLE = `
:host{all:initial}
div{position:fixed;z-index:2147483647;pointer-events:none;box-sizing:border-box}
.off{opacity:0}
.box{outline:2px solid #2b59c3;outline-offset:2px;border-radius:2px}
.bar{display:flex;max-inline-size:100vw}
.bar:not(.off){pointer-events:auto}
button{font:14px/1.5 system-ui,sans-serif;min-inline-size:28px;padding:2px 8px;border:1px solid #fff;background:#2b59c3;color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid #ffbf47;outline-offset:-3px}`

/** An action of the bar of a part: edit it, or one of the wishes. */
type Act = 'edit' | Wish

/** The frame around a part of the page, and the buttons beside it; in a tree of its own, which styles of the page do not reach. */
export class Bar {
  readonly host = document.createElement('quire-inside')
  readonly #box = document.createElement('div')
  readonly #bar = document.createElement('div')
  readonly #buttons: ReadonlyMap<Act, HTMLButtonElement>
  #part: Element | null = null

  constructor(act: (what: Act) => void) {
    const root = this.host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    root.adoptedStyleSheets = [sheet]
    const acts = ['edit', ...WISHES] as const
    this.#buttons = new Map(acts.map((what) => [what, this.#button(what, act)]))
    this.#bar.setAttribute('role', 'toolbar')
    this.#bar.append(...this.#buttons.values())
    root.append(this.#box, this.#bar)
    this.show(null, null, '')
    // First of all: Tab leads here, from part to part, and then on to what the page itself has.
    document.documentElement.insertBefore(this.host, document.body)
    for (const name of ['scroll', 'resize', 'load', 'transitionend']) addEventListener(name, () => this.place(), true)
  }

  /** The part that is framed. */
  get part(): Element | null {
    return this.#part
  }

  /** Whether the page runs from right to left: so does the bar. */
  get isRightToLeft(): boolean {
    return getComputedStyle(this.host).direction === 'rtl'
  }

  name(words: InsideWords): void {
    for (const [what, button] of this.#buttons) Object.assign(button, { title: words[what], ariaLabel: words[what] })
  }

  /** Frames a part with what can be done with it; null frames none. */
  show(part: Element | null, mark: Mark | null, label: string): void {
    this.#part = part
    for (const [what, button] of this.#buttons) button.hidden = !isOffered(what, mark)
    const edit = this.#buttons.get('edit')
    if (edit) {
      edit.textContent = `${label} ${SIGNS.edit}`.trim()
      edit.ariaLabel = `${edit.title} ${label}`.trim()
    }
    this.place()
  }

  /** Puts the frame where its part is now. */
  place(): void {
    const isOff = !this.#part?.isConnected
    this.#box.className = isOff ? 'box off' : 'box'
    this.#bar.className = isOff ? 'bar off' : 'bar'
    if (isOff || !this.#part) return
    const { left, top, width, height } = boxOf(this.#part)
    Object.assign(this.#box.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` })
    const above = top - this.#bar.offsetHeight - 2
    const { offsetWidth } = this.#bar
    const wanted = this.isRightToLeft ? left + width - offsetWidth : left
    const start = Math.max(0, Math.min(wanted, innerWidth - offsetWidth))
    Object.assign(this.#bar.style, { left: `${start}px`, top: `${Math.max(0, above)}px` })
  }

  focus(): void {
    this.#enter(this.#buttons.get('edit'))
  }

  /** Moves the focus to the button before or after the one that has it. */
  step(by: 1 | -1): void {
    const offered = [...this.#buttons.values()].filter(({ hidden }) => !hidden)
    const at = offered.findIndex((button) => button.matches(':focus'))
    this.#enter(offered[at + by])
  }

  /** One stop of Tab: the button that had the focus last. */
  #enter(one: HTMLButtonElement | undefined): void {
    if (one === undefined) return
    for (const button of this.#buttons.values()) button.tabIndex = button === one ? 0 : -1
    one.focus({ preventScroll: true })
  }

  #button(what: Act, act: (what: Act) => void): HTMLButtonElement {
    const button = document.createElement('button')
    button.textContent = SIGNS[what]
    button.tabIndex = what === 'edit' ? 0 : -1
    button.addEventListener('click', ({ isTrusted }) => isTrusted && act(what))
    return button
  }
}

function isOffered(what: Act, mark: Mark | null): boolean {
  if (what === 'edit' || mark?.kind === 'widget') return true
  return what === 'add' && mark?.kind === 'area'
}
