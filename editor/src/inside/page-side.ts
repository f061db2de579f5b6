import { Bar } from './bar.ts'
import { Morph } from './morph.ts'
import { takeStyles } from './page-looks.ts'
import { keyOf, markOf, partAround, partsIn, partWith } from './page-marks.ts'
import { type FromEditor, type FromPage, type Mark, readFromEditor, sent, type Wish } from './protocol.ts'

const REGION = '[data-quire-refreshable],[data-apos-refreshable]'

/** The side of the page in the talk with the editor. */
export class Inside {
  readonly #token: string
  readonly #origin: string
  readonly #morph = new Morph()
  #bar: Bar | null = null
  #labels: Readonly<Record<string, string>> = {}

  /** `origin`: that of the editor. */
  constructor(token: string, origin: string) {
    this.#token = token
    this.#origin = origin
  }

  /** Announces to the editor that the page listens. */
  begin(): void {
    const region = document.querySelector(REGION)
    if (region) this.#morph.remember(region)
    addEventListener('message', ({ source, origin, data }) => {
      const message = source === parent && origin === this.#origin ? readFromEditor(data, this.#token) : null
      if (message) this.#hear(message)
    })
    this.#tell({ kind: 'ready', canRefresh: region !== null })
  }

  #tell(message: FromPage): void {
    parent.postMessage(sent(message, this.#token), this.#origin)
  }

  #hear(message: FromEditor): void {
    if (message.kind === 'start') this.#start(message)
    else if (message.kind === 'show') this.#show(message.mark && partWith(message.mark, document), true)
    else if (message.kind === 'styles') takeStyles(message)
    else this.#patch(message)
  }

  #start({ words, labels }: Extract<FromEditor, { kind: 'start' }>): void {
    this.#labels = labels
    this.#bar ??= this.#barOf()
    this.#bar.name(words)
    this.#show(this.#bar.part, false)
  }

  #barOf(): Bar {
    const bar = new Bar((what) => this.#ask(what))
    document.addEventListener('pointerover', ({ target }) => this.#over(target))
    document.addEventListener('click', (event) => this.#click(event), true)
    bar.host.addEventListener('keydown', (event) => this.#key(event))
    bar.host.addEventListener('focusin', () => bar.part ?? this.#show(partsIn(document)[0] ?? null, true))
    return bar
  }

  #over(target: EventTarget | null): void {
    if (target === this.#bar?.host || !(target instanceof Element)) return
    const part = partAround(target)
    if (part !== null) this.#show(part, false)
  }

  /** A click leads to the form; what it would do on the page, it does with Ctrl. */
  #click(event: MouseEvent): void {
    const { target, ctrlKey, metaKey, isTrusted } = event
    if (target === this.#bar?.host || ctrlKey || metaKey || !(target instanceof Element)) return
    const part = partAround(target)
    if (part === null && target.closest('a[href]') === null) return
    event.preventDefault()
    if (part === null) return
    event.stopImmediatePropagation()
    this.#show(part, false)
    if (isTrusted) this.#ask('edit')
  }

  #ask(what: 'edit' | Wish): void {
    const mark = this.#mark()
    if (mark === null) return
    this.#tell(what === 'edit' ? { kind: 'select', mark } : { kind: 'ask', mark, wish: what })
  }

  #mark(): Mark | null {
    const part = this.#bar?.part ?? null
    return part && markOf(part)
  }

  #key(event: KeyboardEvent): void {
    const { key, shiftKey } = event
    if (key === 'Tab') this.#walk(event, shiftKey ? -1 : 1)
    if (key === 'ArrowDown' || key === 'ArrowUp') this.#walk(event, key === 'ArrowUp' ? -1 : 1)
    const onwards = this.#bar?.isRightToLeft ? 'ArrowLeft' : 'ArrowRight'
    if (key === 'ArrowRight' || key === 'ArrowLeft') this.#bar?.step(key === onwards ? 1 : -1)
    if (key === 'Escape') this.#tell({ kind: 'leave' })
  }

  /** To the part before or after; past the last one the key does what it does anyway. */
  #walk(event: KeyboardEvent, by: 1 | -1): void {
    const parts = partsIn(document)
    const part = this.#bar?.part
    const next = parts[(part ? parts.indexOf(part) : -1) + by]
    if (next === undefined) return
    event.preventDefault()
    this.#show(next, true)
    this.#bar?.focus()
  }

  #show(part: Element | null, isScrolled: boolean): void {
    this.#bar?.show(part, part && markOf(part), (part && this.#labels[keyOf(part)]) ?? '')
    if (isScrolled)
      (part?.getClientRects().length ? part : part?.firstElementChild)?.scrollIntoView({ block: 'nearest' })
    this.#bar?.place()
  }

  #patch(message: Extract<FromEditor, { kind: 'refresh' | 'widget' }>): void {
    const mark = this.#mark()
    try {
      const { body } = new DOMParser().parseFromString(`<!doctype html><body>${message.html}`, 'text/html')
      if (message.kind === 'refresh') this.#morph.children(this.#region(), body)
      else this.#widget(message.widgetId, body.firstElementChild)
    } catch {
      this.#tell({ kind: 'failed' })
    }
    this.#show(mark && partWith(mark, document), false)
  }

  #region(): Element {
    const region = document.querySelector(REGION)
    if (region === null) throw new Error('The page has no part that can be refreshed.')
    return region
  }

  #widget(widgetId: string, next: Element | null): void {
    const part = partWith({ kind: 'widget', docId: '', widgetId }, document)
    if (part === null) return
    if (next === null) throw new Error('Nothing was drawn.')
    this.#morph.element(part, next)
  }
}
