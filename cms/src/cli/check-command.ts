import { counted } from '../base/text.ts'
import { type NotServed, notServed } from '../engine/lists/not-served.ts'
import { openTemplates } from '../engine/rendering/template-files.ts'
import { type ContentFindings, FindingsCounter } from '../engine/values/content-findings.ts'
import { compileSite } from '../model/compile/site.ts'
import type { SiteDeclaration } from '../model/compile/site-options.ts'
import { allReservedSlugs } from '../model/declared/reserved-slugs.ts'
import type { LocaleSlug } from '../store/contract/store.ts'
import { command } from './command/command.ts'
import type { Environment } from './command/environment.ts'
import { optionsOfStored } from './command/lost-database.ts'
import { progress } from './command/progress.ts'
import { loadSite, siteOption } from './command/site-module.ts'
import { withStoredContent } from './command/with-stored-content.ts'

/**
 * `quire check`: compiles the site and its template files, and shows every mistake with its key path. With `--content`
 * it also looks through the database for values that the fields, as the site declares them, do not take, and for
 * documents of types and in locales that it does not declare; it changes nothing.
 */
export const check = command({
  meta: { name: 'check', description: 'Check the site: every mistake at once, each with its key path' },
  args: {
    ...siteOption,
    content: {
      type: 'boolean',
      description:
        'Also list stored content that the site does not declare, and values that their fields no longer take',
    },
  },
  async run({ args }) {
    const { site } = await loadSite(args.site, process.env)
    const compiled = compileSite(site)
    await openTemplates(compiled, { isDevelopment: false })
    const pieces = [...compiled.types.values()].filter((type) => !type.name.startsWith(compiled.namespace))
    const size = `${counted(pieces.length, 'type')}, ${counted(compiled.locales.size, 'locale')}`
    console.log(`${compiled.name} has no mistakes: ${size}.`)
    if (!args.content) return
    printCheck(await checkContent(site, process.env, progress('Checking')))
  },
})

function printCheck({ types, locales, misplaced, scheduled, unreached, setAside, unfit }: ContentCheck): void {
  const lines = [
    ...types.map(({ type, documents }) => {
      return `${counted(documents, 'document')} of the type ${type}, which the site does not declare: not served.`
    }),
    ...locales.map(({ locale, documents }) => {
      return `${counted(documents, 'document')} in the locale ${locale}, which the site does not declare: not served.`
    }),
    ...misplaced.map(({ type, locale, documents }) => {
      const was =
        locale === '' ? 'without a locale, and the type has locales' : `in the locale ${locale}, and the type has none`
      return `${counted(documents, 'document')} of the type ${type} ${was} now: not served.`
    }),
    ...scheduled.map(({ type, locale, documents }) => {
      const what = `${counted(documents, 'document')} of the type ${type} in the locale ${locale}`
      return `${what} scheduled to be published or archived, which the site does not do for this type: kept, and not carried out.`
    }),
    ...unreached.map(({ locale, slug }) => {
      return `The page ${slug} in the locale ${locale} is not reached: give it another slug.`
    }),
    ...setAside.map(({ field, type, count, examples }) => {
      return `${field}: ${counted(count, 'value')} stored as ${type}, set aside${inSome(examples)}`
    }),
    ...unfit.map(({ field, message, count, examples }) => {
      return `${field}: ${counted(count, 'value')} shown that would not be accepted now (${message})${inSome(examples)}`
    }),
  ]
  for (const line of lines) console.log(line)
  if (lines.length === 0) console.log('All stored values are shown.')
}

function inSome(examples: readonly string[]): string {
  return `: in ${examples.map((title) => JSON.stringify(title)).join(', ')}`
}

const BATCH = 200

/** Stored content that a site would not serve, or would serve although its fields no longer accept it. */
interface ContentCheck extends NotServed, ContentFindings {
  /** Pages at whose slugs the service or another locale answers: a hundred at most. */
  readonly unreached: readonly LocaleSlug[]
}

/**
 * Looks for values that would be set aside (§2.14), or that fields take no longer, and for documents that would not be
 * served (§4.5), if the database were served with this site. Changes nothing.
 */
export async function checkContent(
  declaration: SiteDeclaration,
  env: Environment,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<ContentCheck> {
  const site = compileSite(declaration)
  return withStoredContent(await optionsOfStored(env), site, async (store) => {
    const counter = new FindingsCounter(site)
    const total = await store.locales.countCopies()
    let done = 0
    for (let last = 0; ; ) {
      const stored = await store.documents.following(last, BATCH)
      if (stored.length === 0) break
      for (const { document } of stored) counter.look(document)
      last = stored.at(-1)?.row ?? last
      done += stored.length
      onProgress(Math.min(done, total), total)
    }
    const unreached = await store.locales.pagesAt(allReservedSlugs(site))
    return { ...counter.found(), ...(await notServed({ site, store })), unreached }
  })
}
