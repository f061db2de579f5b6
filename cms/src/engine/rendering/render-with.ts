import { Html } from '../../base/html.ts'
import type { Template } from '../../model/declared/template.ts'
import type { Scene } from '../context.ts'
import { TemplateError } from './template-error.ts'

/**
 * Renders a widget with the template that its type declares. Throws `TemplateError`, which names the document it lies
 * in.
 */
export function renderWith(template: Template, widget: object, scene: Scene, document: string | null): Html {
  const { source, path } = template
  return inTemplate(path, document, () => {
    if (source.kind === 'function') return called(source.render, widget, scene)
    const data = { ...scene.page, widget, data: scene.data }
    return new Html(scene.ctx.templates.render(source.file, { data, scene }).text)
  })
}

/** Calls a function that renders, and checks that it did. */
export function called(render: (...given: never[]) => object, ...given: readonly unknown[]): Html {
  // `as`: a template is handed what it was declared for.
  const rendered: unknown = render(...(given as never[]))
  if (rendered instanceof Html) return rendered
  throw new TypeError('must return what html`…` makes')
}

/** Runs a template: an error in it becomes a `TemplateError`; the innermost template is the one that is named. */
export function inTemplate<Result>(path: string, document: string | null, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof TemplateError ? error : new TemplateError(path, document, error)
  }
}
