import { setStyle, styleAt } from './block-commands.ts'
import { element } from './dom.ts'
import { hasMark, setMark } from './mark-commands.ts'
import type { TextStyle } from './options.ts'
import type { ToolContext, ToolControl } from './tool-control.ts'

/** The choice among the styles that the area declares. */
export function stylesTool({ view, options: { t }, allowed: { styles } }: ToolContext): ToolControl {
  const control = element('select', { 'aria-label': t.tools.styles, class: 'q-rich-text-styles' })
  const other = element('option', { value: '', hidden: '' })
  const choices = styles.map((style, index) =>
    element('option', { value: String(index) }, style.label ?? t.style(style.tag)),
  )
  control.append(other, ...choices)
  control.addEventListener('change', () => {
    const style = styles[Number(control.value)]
    if (style === undefined) return
    if (style.tag === 'span') setWords(style)
    else setStyle(style)(view.state, view.dispatch)
    view.focus()
  })

  const setWords = (style: TextStyle) => {
    const attributes = hasMark(view.state, 'span') ? null : { class: style.class ?? '' }
    view.dispatch(setMark(view.state.tr, view.state.selection, 'span', attributes))
  }

  return {
    control,
    update() {
      const here = styleAt(view.state)
      const index = styles.findIndex(({ tag, class: names = '' }) => tag === here.tag && names === here.class)
      other.textContent = t.style(here.tag)
      control.value = index < 0 ? '' : String(index)
    },
  }
}
