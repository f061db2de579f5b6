import { command } from './command.ts'
import { loadSite, siteOption } from './site-module.ts'

/**
 * `quire check`: compiles the site and its template files, and shows every mistake with its key path. With `--content` it
 * also looks through the database for values that the fields, as the site declares them, do not take, and for documents
 * in locales that it does not declare; it changes nothing.
 */
export const check = command({
  meta: { name: 'check', description: 'Check the site: every mistake at once, each with its key path' },
  args: {
    ...siteOption,
    content: {
      type: 'boolean',
      description: 'Also list stored values that their fields no longer take, and documents in unknown locales',
    },
  },
  async run({ args }) {
    const { compileSite } = await import('../model/site.ts')
    const { site } = await loadSite(args.site, process.env)
    const compiled = compileSite(site)
    const { openTemplates } = await import('../engine/rendering/template-files.ts')
    await openTemplates(compiled, { isDevelopment: false })
    const pieces = [...compiled.types.values()].filter((type) => !type.name.startsWith(compiled.namespace))
    const size = `${counted(pieces.length, 'type')}, ${counted(compiled.locales.size, 'locale')}`
    console.log(`${compiled.name} has no mistakes: ${size}.`)
    if (!args.content) return
    const { checkContent } = await import('./check-content.ts')
    const { setAside: found, unknownLocales, unreached } = await checkContent(site, process.env)
    if (found.length + unknownLocales.length + unreached.length === 0) console.log('All stored values are shown.')
    for (const { locale, documents } of unknownLocales) {
      console.log(
        `${counted(documents, 'document')} in the locale ${locale}, which the site does not declare: not served.`,
      )
    }
    for (const { locale, slug } of unreached) {
      console.log(`The page ${slug} in the locale ${locale} is not reached: give it another slug.`)
    }
    for (const { field, type, count } of found) {
      console.log(`${field}: ${counted(count, 'value')} stored as ${type}, set aside.`)
    }
  },
})

function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
