import { defineCommand } from 'citty'
import { counted } from '../base/text.ts'
import { command } from './command/command.ts'
import { withApp } from './command/operator.ts'
import { progress } from './command/progress.ts'
import { loadSite, siteOption } from './command/site-module.ts'
import { removeLocale, renameLocale } from './locales/locale-content.ts'
import { exportTexts } from './locales/locale-export.ts'
import { importTexts } from './locales/locale-import.ts'

const force = { type: 'boolean', description: 'Do it even where content is lost' } as const

const rename = command({
  meta: { name: 'rename', description: 'Move all content of a locale that was renamed in the site' },
  args: {
    from: { type: 'positional', description: 'Its name before', required: true },
    to: { type: 'positional', description: 'Its name in the site now', required: true },
    ...siteOption,
    force: { ...force, description: 'Replace all that was written in the new locale already' },
  },
  async run({ args }) {
    const options = { force: args.force === true, onProgress: progress('Renaming') }
    const { from, to } = args
    const { documents, kept } = await renameLocale(await contentOf(args.site), { from, to }, options)
    console.log(`${counted(documents, 'document')} moved from ${from} to ${to}.`)
    if (kept.length === 0) return
    console.error(
      `Still in ${from}, since ${to} has something else in their place: ${counted(kept.length, 'document')}.`,
    )
    for (const { type, docId, title } of kept) console.error(`  ${type}/${docId} ${JSON.stringify(title)}`)
    console.error(`Change or delete what is there, then rename again.`)
    process.exitCode = 1
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
    const options = { force: args.force === true, onProgress: progress('Deleting') }
    const documents = await removeLocale(await contentOf(args.site), args.name, options)
    console.log(`${counted(documents, 'document')} of ${args.name} deleted.`)
  },
})

const exportCommand = command({
  meta: { name: 'export', description: 'Write all texts of a locale into an XLIFF 2 file, for translators' },
  args: {
    file: { type: 'positional', description: 'The file to write', required: true },
    from: { type: 'string', description: 'The locale to translate from', required: true, valueHint: 'locale' },
    to: { type: 'string', description: 'The locale to translate to', required: true, valueHint: 'locale' },
    type: { type: 'string', description: 'Only documents of this type', valueHint: 'type' },
    ...siteOption,
  },
  async run({ args }) {
    const { file, from, to, type } = args
    const documents = await withApp(args.site, (ctx) =>
      exportTexts(ctx, file, { from, to, type }, progress('Exporting')),
    )
    console.log(`The texts of ${counted(documents, 'document')} are in ${file}.`)
  },
})

const importCommand = command({
  meta: { name: 'import', description: 'Make drafts of a translated XLIFF 2 file' },
  args: { file: { type: 'positional', description: 'The file to read', required: true }, ...siteOption },
  async run({ args }) {
    const { documents, untranslated, refused, warned } = await withApp(args.site, (ctx) =>
      importTexts(ctx, args.file, progress('Importing')),
    )
    console.log(`Imported ${counted(documents, 'document')}. Texts without a translation: ${untranslated}.`)
    printProblems(`Check before publishing: ${counted(warned.length, 'document')}.`, warned)
    printProblems(`Not imported: ${counted(refused.length, 'document')}.`, refused)
    if (refused.length > 0) process.exitCode = 1
  },
})

/** `quire locale rename|remove|export|import`: locales of a site that has content, and their translation. */
export const locale = defineCommand({
  meta: { name: 'locale', description: 'Rename and remove locales; give their texts to translators' },
  subCommands: { rename, remove, export: exportCommand, import: importCommand },
})

async function contentOf(site: string | undefined) {
  return { declaration: (await loadSite(site, process.env)).site, env: process.env }
}

function printProblems(
  summary: string,
  all: readonly { readonly document: string; readonly problems: readonly string[] }[],
): void {
  if (all.length === 0) return
  console.error(summary)
  for (const { document, problems } of all) console.error(`  ${document}\n    ${problems.join('\n    ')}`)
}
