import { z } from 'zod'
import type { Report } from '../terms/configuration-error.ts'
import { callable } from './option-schemas.ts'

/** A template as compiled. */
export interface Template {
  /** Where it was declared, for messages. */
  readonly path: string
  readonly source:
    | { readonly kind: 'function'; readonly render: (...given: never[]) => object }
    | { readonly kind: 'file'; readonly file: string }
  /** Loads further data for the template. */
  readonly data: ((ctx: never, shown: never) => unknown) | null
}

/** The templates of a page type (§4.2b). Null: the default one. */
export interface PageTemplates {
  readonly page: Template | null
  readonly index: Template | null
  readonly show: Template | null
}

/** Pages that the site has for failures. */
export interface SiteTemplates {
  /** The folder of template files; null when there are none. */
  readonly folder: string | null
  readonly layout: Template | null
  readonly notFound: Template | null
  readonly error: Template | null
}

const called = callable<(...given: never[]) => never>()
const FILE = /^(?!\/)(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w./-]+\.njk$/

/** True for the name of a file below the folder of templates. */
export function isTemplateFile(name: string): boolean {
  return FILE.test(name)
}

/** A file of the folder of templates. */
const templateFile = z
  .string()
  .regex(FILE, 'must name a file below the folder of templates, such as "widgets/quote.njk"')

/** The options of a widget or page type that declare its template. */
export const TEMPLATE_OPTIONS = {
  render: called.optional(),
  template: templateFile.optional(),
  data: called.optional(),
}

/** A template by itself: `index: { render }`. */
export const TEMPLATE = z.strictObject(TEMPLATE_OPTIONS)

/** The layout: a function, or a file. */
export const LAYOUT = z.union([called, templateFile], 'must be a function, or the name of a file, such as "layout.njk"')

/** The key path of the file that a template names. */
export function filePathOf({ path }: Template): string {
  return path === 'layout' ? path : `${path}.template`
}

/** Returns all templates that a site declares. */
export function templatesOf({ types, widgets, templates: { layout, notFound, error } }: TemplateOwner): Template[] {
  const ofTypes = [...types.values()].flatMap(({ templates: { page, index, show } }) => [page, index, show])
  const ofWidgets = [...widgets.values()].map(({ template }) => template)
  return [...ofTypes, ...ofWidgets, layout, notFound, error].filter((one) => one !== null)
}

/** Reports the files of a site that has no folder for them to lie in. */
export function checkTemplateFolder(owner: TemplateOwner, report: Report): void {
  if (owner.templates.folder !== null) return
  for (const template of templatesOf(owner)) {
    if (template.source.kind === 'function') continue
    report(
      filePathOf(template),
      "needs the site's folder of templates: templates: new URL('./templates', import.meta.url)",
    )
  }
}

/** True for a site that has templates for pages, or a layout: else pages are rendered plainly. */
export function rendersPages({ types, templates: { layout } }: TemplateOwner): boolean {
  return layout !== null || [...types.values()].some(({ templates: { page, index, show } }) => page ?? index ?? show)
}

/** The parts of a site that declare templates. */
interface TemplateOwner {
  readonly types: ReadonlyMap<string, { readonly templates: PageTemplates }>
  readonly widgets: ReadonlyMap<string, { readonly template: Template | null }>
  readonly templates: SiteTemplates
}

type TemplateValues = z.infer<typeof TEMPLATE>

/** Reads a declared template; null where none is declared. `isNeeded` where it stands by itself. */
export function compileTemplate(
  { render, template, data }: TemplateValues,
  { path, isNeeded = false, report }: { readonly path: string; readonly isNeeded?: boolean; readonly report: Report },
): Template | null {
  if (render !== undefined && template !== undefined) {
    report('template', 'there is a render function already; keep one of the two')
  }
  if (render === undefined && template === undefined) {
    if (isNeeded) report('', 'needs a template: a render function, or the name of a file')
    else if (data !== undefined) report('data', 'is for a template: add render, or the name of a file')
    return null
  }
  const source = render ? ({ kind: 'function', render } as const) : ({ kind: 'file', file: template ?? '' } as const)
  return { path, source, data: data ?? null }
}

/** The site's layout as compiled. */
export function compileLayout(layout: z.infer<typeof LAYOUT> | undefined): Template | null {
  if (layout === undefined) return null
  const source =
    typeof layout === 'string'
      ? ({ kind: 'file', file: layout } as const)
      : ({ kind: 'function', render: layout } as const)
  return { path: 'layout', source, data: null }
}
