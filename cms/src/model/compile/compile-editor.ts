import { EDITOR, type SiteEditor } from '../declared/editor-options.ts'
import type { LocaleOptions } from '../declared/types.ts'
import type { Report } from '../terms/configuration-error.ts'
import { readOptions } from './read-options.ts'

/** The first steps of paths at which the service itself answers. */
const OF_THE_SERVICE: readonly string[] = ['api', 'uploads', 'sitemaps']

/** The parts of a site that its editor depends on. */
interface Facts extends Pick<SiteEditor, 'imageHosts'> {
  readonly name: string
  readonly locales: ReadonlyMap<string, Pick<LocaleOptions, 'name' | 'prefix'>>
}

/** Reads the option `editor` (§11); null where the site has none. Its path must be free in every locale. */
export function compileEditor(declared: false | object, site: Facts, report: Report): SiteEditor | null {
  if (declared === false) return null
  const options = readOptions(EDITOR, declared, report) ?? EDITOR.parse({})
  const taken = takenBy(options.path, site.locales)
  if (taken !== null) report('path', `"${options.path}" ${taken}: choose another path, or editor: false`)
  const { path, title = site.name, preview, origin = null, frontends } = options
  if (frontends.length > 0 && origin === null) report('origin', NEEDED_WITH_FRONTENDS)
  return { path, title, preview, origin, frontends: [...new Set(frontends)], imageHosts: [...new Set(site.imageHosts)] }
}

const NEEDED_WITH_FRONTENDS =
  'is needed with frontends: say where people open the editor, such as "https://edit.example.org"; nothing else may frame drafts there'

function takenBy(path: string, locales: Facts['locales']): string | null {
  const [, first = ''] = path.split('/', 2)
  if (OF_THE_SERVICE.includes(first)) return `is where the service answers, at "/${first}"`
  const locale = [...locales.values()].find(
    ({ prefix }) => prefix !== '' && `${path}/`.startsWith(`${decodeURI(prefix)}/`),
  )
  return locale === undefined ? null : `and the prefix of the locale ${locale.name}, "${locale.prefix}", meet`
}

/**
 * The directives of pages that show drafts (§4.2b), from those of the site's pages: the editor frames them, and their
 * scripts have an origin of nobody's, unless the site trusts those who write drafts.
 */
export function draftDirectives(
  editor: SiteEditor | null,
  own: { readonly [directive: string]: string },
): { readonly [directive: string]: string } {
  if (editor === null) return own
  const sandbox = editor.preview === 'trusted' ? {} : { sandbox: 'allow-scripts allow-forms allow-popups' }
  const framing = editor.origin === null ? "'self'" : `'self' ${editor.origin}`
  return { ...sandbox, ...own, 'frame-ancestors': framing }
}
