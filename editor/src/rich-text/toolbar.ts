import type { EditorView } from 'prosemirror-view'
import type { ToolName } from '../words/rich-text.ts'
import { element, newId } from './dom.ts'
import { askForLink } from './link-dialog.ts'
import type { RichTextOptions } from './options.ts'
import { askForAnchor, askForColor, askForImage } from './other-dialogs.ts'
import { stylesTool } from './styles-tool.ts'
import { tableTool } from './table-tool.ts'
import { commandOf, isOn } from './tool-commands.ts'
import { type ButtonName, type ToolContext, type ToolControl, toolButton } from './tool-control.ts'

/** The tools of a text, one of which is reached by Tab and the others by arrow keys. */
export class RichTextToolbar {
  readonly element: HTMLElement
  readonly #controls: readonly ToolControl[]
  #current = 0

  constructor(context: ToolContext) {
    const { allowed, options, view } = context
    const tools = allowed.tools.map((name) => (name === '|' ? null : controlOf(name, context)))
    this.#controls = tools.filter((tool) => tool !== null)
    view.dom.id ||= newId()
    this.element = element('div', {
      role: 'toolbar',
      class: 'q-rich-text-toolbar',
      'aria-label': options.t.toolbar,
      'aria-controls': view.dom.id,
    })
    for (const tool of tools) this.element.append(...(tool ? [tool.control, ...(tool.others ?? [])] : [gap()]))
    this.element.addEventListener('keydown', (event) => this.#move(event, options))
    this.element.addEventListener('focusin', ({ target }) =>
      this.#setCurrent(this.#controls.findIndex(({ control }) => control === target)),
    )
    this.#setCurrent(0)
    this.update()
  }

  /** Whether there is any tool. */
  get isEmpty(): boolean {
    return this.#controls.length === 0
  }

  /** Moves the focus to the tool that had it last. */
  focus(): void {
    this.#controls[this.#current]?.control.focus()
  }

  /** Shows what is the case at the selection. */
  update(): void {
    for (const control of this.#controls) control.update()
  }

  #setCurrent(index: number): void {
    if (index < 0) return
    this.#current = index
    for (const [at, { control }] of this.#controls.entries()) control.tabIndex = at === index ? 0 : -1
  }

  #move(event: KeyboardEvent, { onLeave }: RichTextOptions): void {
    if (!this.#controls.some(({ control }) => control === event.target)) return
    const target = this.#target(event.key)
    if (target === undefined && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (target === undefined) onLeave()
    else this.#controls.at(target % this.#controls.length)?.control.focus()
  }

  #target(key: string): number | undefined {
    const { direction } = getComputedStyle(this.element)
    if (key === 'Home') return 0
    if (key === 'End') return -1
    if (key === (direction === 'ltr' ? 'ArrowRight' : 'ArrowLeft')) return this.#current + 1
    if (key === (direction === 'ltr' ? 'ArrowLeft' : 'ArrowRight')) return this.#current - 1
    return undefined
  }
}

function gap(): HTMLElement {
  return element('span', { class: 'q-rich-text-gap', role: 'separator', 'aria-orientation': 'vertical' })
}

function controlOf(name: ToolName, context: ToolContext): ToolControl {
  if (name === 'styles') return stylesTool(context)
  return name === 'table' ? tableTool(context) : buttonTool(name, context)
}

function buttonTool(name: ButtonName, context: ToolContext): ToolControl {
  const { view } = context
  const control = toolButton(name, context)
  control.addEventListener('click', () => {
    if (control.getAttribute('aria-disabled') !== 'true') run(name, context)
  })
  return {
    control,
    update() {
      const isPressed = isOn(name, view.state)
      if (isPressed !== undefined) control.setAttribute('aria-pressed', String(isPressed))
      const command = commandOf(name)
      control.setAttribute('aria-disabled', String(command !== undefined && !command(view.state)))
    },
  }
}

const QUESTIONS: {
  readonly [Name in ToolName]?: (host: HTMLElement, view: EditorView, options: RichTextOptions) => unknown
} = {
  link: askForLink,
  anchor: askForAnchor,
  color: askForColor,
  image: askForImage,
}

function run(name: ButtonName, { host, view, options }: ToolContext): void {
  const question = QUESTIONS[name]
  if (question) {
    void question(host, view, options)
    return
  }
  commandOf(name)?.(view.state, view.dispatch, view)
  view.focus()
}
