import { command } from './command.ts'
import { loadSite, siteOption } from './site-module.ts'

/** `quire check`: compiles the site and shows every mistake with its key path. Opens no database. */
export const check = command({
  meta: { name: 'check', description: 'Check the site: every mistake at once, each with its place' },
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
