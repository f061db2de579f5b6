import { command } from './command.ts'
import { loadSite, siteOption } from './site-module.ts'

/** `quire check`: compiles the site and reports every mistake with its path. Opens no database. */
export const check = command({
  meta: { name: 'check', description: 'Check the site: reports every mistake at once, with its path' },
  args: siteOption,
  async run({ args }) {
    const { compileSite } = await import('../model/site.ts')
    const { site } = await loadSite(args.site, process.env)
    const compiled = compileSite(site)
    const pieces = [...compiled.types.values()].filter((type) => !type.name.startsWith(compiled.namespace))
    const size = `${counted(pieces.length, 'type')}, ${counted(compiled.locales.size, 'locale')}`
    console.log(`${compiled.name} has no mistakes: ${size}.`)
  },
})

function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
