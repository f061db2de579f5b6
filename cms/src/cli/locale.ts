import { defineCommand } from 'citty'
import { command } from './command.ts'
import { progress } from './progress.ts'
import { loadSite, siteOption } from './site-module.ts'

const force = { type: 'boolean', description: 'Do it even where content is lost' } as const

const rename = command({
  meta: { name: 'rename', description: 'Move all content of a locale that was renamed in the site' },
  args: {
    from: { type: 'positional', description: 'Its name before', required: true },
    to: { type: 'positional', description: 'Its name in the site now', required: true },
    ...siteOption,
    force: { ...force, description: 'Replace what was written in the new locale already' },
  },
  async run({ args }) {
    const { renameLocale } = await import('./locale-content.ts')
    const options = { force: args.force === true, onProgress: progress('Renaming') }
    const documents = await renameLocale(await contentOf(args.site), { from: args.from, to: args.to }, options)
    console.log(`${counted(documents)} moved from ${args.from} to ${args.to}.`)
  },
})

const remove = command({
  meta: { name: 'remove', description: 'Delete all content of a locale that the site no longer declares' },
  args: {
    name: { type: 'positional', description: 'The locale', required: true },
    ...siteOption,
    force: { ...force, description: 'Delete it although somebody has written in it' },
  },
  async run({ args }) {
    const { removeLocale } = await import('./locale-content.ts')
    const options = { force: args.force === true, onProgress: progress('Deleting') }
    console.log(
      `${counted(await removeLocale(await contentOf(args.site), args.name, options))} of ${args.name} deleted.`,
    )
  },
})

/** `quire locale rename|remove`: what happens to content when a site declares other locales. */
export const locale = defineCommand({
  meta: { name: 'locale', description: 'Rename and remove locales of a site that has content' },
  subCommands: { rename, remove },
})

async function contentOf(site: string | undefined) {
  return { declaration: (await loadSite(site, process.env)).site, env: process.env }
}

function counted(documents: number): string {
  return `${documents} document${documents === 1 ? '' : 's'}`
}
