import type { ContentCheck } from './check/check-content.ts'
import { command } from './command/command.ts'
import { progress } from './command/progress.ts'
import { loadSite, siteOption } from './command/site-module.ts'

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
    const { compileSite } = await import('../model/compile/site.ts')
    const { site } = await loadSite(args.site, process.env)
    const compiled = compileSite(site)
    const { openTemplates } = await import('../engine/rendering/template-files.ts')
    await openTemplates(compiled, { isDevelopment: false })
    const pieces = [...compiled.types.values()].filter((type) => !type.name.startsWith(compiled.namespace))
    const size = `${counted(pieces.length, 'type')}, ${counted(compiled.locales.size, 'locale')}`
    console.log(`${compiled.name} has no mistakes: ${size}.`)
    if (!args.content) return
    const { checkContent } = await import('./check/check-content.ts')
    tell(await checkContent(site, process.env, progress('Checking')))
  },
})

function tell({ types, locales, misplaced, scheduled, unreached, setAside, unfit }: ContentCheck): void {
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
      return `${what} to be published or archived at a time, which the site does not schedule: kept, and not done.`
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

function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
