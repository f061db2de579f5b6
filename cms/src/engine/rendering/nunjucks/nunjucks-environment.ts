import nunjucks, { type Environment } from 'nunjucks'
import { buildUrl } from '../../../base/build-url.ts'
import { json, safeUrl } from '../../../base/html.ts'
import { messageOf } from '../../../base/thrown.ts'
import type { FileValues, RenderedFile, Scene } from '../../context.ts'
import type { AreaInAnswer, OwnAttributes, WidgetStyles } from '../../scene-parts.ts'
import { type PageMetadata, pageMetadata } from '../page-metadata.ts'
import { type FileError, TemplateError } from '../template-error.ts'
import { locateErrors } from './locate-errors.ts'
import { TemplateFolder } from './template-folder.ts'

/** A folder of Nunjucks templates: everything is escaped, and nothing outside of the folder is read. */
export class NunjucksFiles {
  readonly #files: TemplateFolder
  readonly #environment: Environment
  /** Where the file that is being rendered has failed. Rendering is never interrupted by other rendering. */
  #failed: FileError | null = null

  constructor(folder: string, { isDevelopment }: { readonly isDevelopment: boolean }) {
    this.#files = new TemplateFolder(folder, { isCached: !isDevelopment })
    this.#environment = new nunjucks.Environment(this.#files, { autoescape: true })
    this.#environment.addExtension('area', new AreaTag())
    addFilters(this.#environment)
    locateErrors(this.#environment, (error) => {
      this.#failed ??= error
    })
  }

  /** The problem of a file, in a sentence; null when it can be rendered with. */
  mistakeIn(file: string): string | null {
    if (!this.#files.has(file)) return `there is no file "${file}" in the folder of templates`
    try {
      this.#environment.getTemplate(file, true)
      return null
    } catch (error) {
      return messageOf(error)
    }
  }

  /** Renders with a file. */
  render(file: string, { data, scene, outer = 'document' }: FileValues): RenderedFile {
    let extended: RenderedFile['outer'] = null
    let inner: TemplateError | null = null
    const guarded = guard((error) => {
      inner ??= error
    })
    const names = {
      ...functionsOf(scene, guarded),
      scene,
      data: { ...data, outerLayout: `quire/${outer}.njk` },
      outerIs(name: 'document' | 'region') {
        extended = name
        return ''
      },
    }
    this.#failed = null
    try {
      return { text: this.#environment.render(file, names), outer: extended }
    } catch (error) {
      // Nunjucks makes errors of its own of those that it meets: what failed inside says more.
      throw inner ?? this.#failed ?? error
    }
  }
}

type Guard = <Arguments extends unknown[]>(
  work: (...given: Arguments) => { readonly text: string },
) => (...given: Arguments) => unknown

/** HTML rendered inside of a file is not escaped again; its failures are given to `failed`. */
function guard(failed: (error: TemplateError) => void): Guard {
  return (work) =>
    (...given) => {
      try {
        return new nunjucks.runtime.SafeString(work(...given).text)
      } catch (error) {
        if (error instanceof TemplateError) failed(error)
        throw error
      }
    }
}

/** The functions that files can call. */
function functionsOf(scene: Scene, guarded: Guard) {
  return {
    area: guarded(scene.area),
    widget: guarded(scene.widget),
    lang: guarded(scene.lang),
    edit: guarded((holder: object | null | undefined, field: never) => scene.edit(holder, field)),
    slot: guarded(scene.slot),
    attachmentUrl: scene.attachmentUrl,
    srcset: scene.srcset,
    focalPoint: scene.focalPoint,
    pageMetadata: guarded((about: PageMetadata) => pageMetadata(scene, about)),
    styles: stylesOf(scene.styles),
    ...scene.urls,
  }
}

/** The styles of widgets as files have them: HTML is not escaped again, and attributes are an object if asked for. */
function stylesOf({ render, elements, attributes }: Scene['styles']) {
  return {
    render,
    elements: (styles: WidgetStyles) => new nunjucks.runtime.SafeString(elements(styles).text),
    attributes: (styles: WidgetStyles, own?: OwnAttributes, { asObject = false } = {}) =>
      asObject ? attributes(styles, own, { asObject }) : new nunjucks.runtime.SafeString(attributes(styles, own).text),
  }
}

/** `this` of a filter is the template's context. */
interface FilterThis {
  readonly ctx: { readonly scene: Scene }
}

function addFilters(environment: Environment): void {
  environment.addFilter('json', (value: unknown) => new nunjucks.runtime.SafeString(json(value).text))
  environment.addFilter('url', (value: unknown) => safeUrl(String(value ?? '')))
  environment.addFilter('date', function (this: FilterThis, value: unknown, style?: unknown) {
    return formatDate(value, style, this.ctx.scene.locale)
  })
  environment.addFilter('build', buildUrl)
  for (const name of URL_FILTERS) {
    environment.addFilter(name, function (this: FilterThis, ...given: unknown[]) {
      // `as`: a template gives what the operation takes.
      return (this.ctx.scene.urls[name] as (...given: unknown[]) => unknown)(...given)
    })
  }
}

/** Operations on URLs (§4.6) as filters; those without a value of their own ignore what is piped into them. */
const URL_FILTERS = [
  'getBaseUrl',
  'getPageUrl',
  'getChoiceFilter',
  'getPageFilter',
  'isStaticBuild',
  'isExternalFront',
] as const

/** The parts of a Nunjucks parser that a tag needs. */
interface Parser {
  nextToken(): { readonly value: string }
  parseSignature(tolerant: null, noParens: boolean): object
  advanceAfterBlockEnd(name: string): void
}

/** `{% area data.page.body %}`, `{% area data.widget.content, { sizes: '50vw' } %}`: renders the widgets of an area. */
class AreaTag {
  readonly tags = ['area']

  parse(parser: Parser, nodes: { readonly CallExtension: new (...given: unknown[]) => object }): object {
    const tag = parser.nextToken()
    const given = parser.parseSignature(null, true)
    parser.advanceAfterBlockEnd(tag.value)
    return new nodes.CallExtension(this, 'run', given)
  }

  run(
    context: { lookup(name: string): (...given: unknown[]) => unknown },
    area?: AreaInAnswer,
    options?: object,
  ): unknown {
    return context.lookup('area')(area, options)
  }
}

const STYLES = new Set(['full', 'long', 'medium', 'short'])

/**
 * A date as people of the locale read it: `{{ article.date | date('long') }}`; `full`, `long`, `medium` or `short`,
 * without a style `long`. Moments are shown in UTC. Anything else stays as it is.
 */
function formatDate(value: unknown, style: unknown, locale: string): string {
  const text = String(value ?? '')
  const date = new Date(text)
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(date.getTime())) return text
  // `as`: these are the names of the styles.
  const dateStyle = (STYLES.has(String(style)) ? style : 'long') as 'full' | 'long' | 'medium' | 'short'
  return formatOf(locale, dateStyle).format(date)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making a format takes longer than formatting. There are as many as locales and styles. */
function formatOf(locale: string, dateStyle: 'full' | 'long' | 'medium' | 'short'): Intl.DateTimeFormat {
  const key = `${locale} ${dateStyle}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const [found = 'en'] = Intl.DateTimeFormat.supportedLocalesOf([locale.replaceAll('_', '-')])
  const format = new Intl.DateTimeFormat(found, { dateStyle, timeZone: 'UTC' })
  formats.set(key, format)
  return format
}
