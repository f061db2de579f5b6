import { counted } from '../base/text.ts'
import { placeOf, STANDARD } from './archive/output.ts'
import { command, selectedNames } from './command/command.ts'
import { withApp } from './command/operator.ts'
import { progress } from './command/progress.ts'
import { siteOption } from './command/site-module.ts'
import { exportContent } from './content/export-content.ts'

/** `quire export FILE`: content and its files, for any other database (§10.3). */
export const exportCommand = command({
  meta: { name: 'export', description: 'Write content and its files into one file that any database can import' },
  args: {
    file: {
      type: 'positional',
      required: true,
      description: 'The file to write, in place of an earlier one; - for standard output',
    },
    type: {
      type: 'string',
      description: 'Only documents of these types, with commas between; users only where they are named',
    },
    locale: { type: 'string', description: 'Only these locales, with commas between' },
    ...siteOption,
  },
  async run({ args }) {
    const place = placeOf(args.file)
    const { documents, attachments, missing, secrets, undeclared } = await withApp(args.site, (ctx) => {
      const selection = {
        types: selectedNames('--type', args.type, ctx.site.types),
        locales: selectedNames('--locale', args.locale, ctx.site.locales),
      }
      return exportContent(ctx, args.file, selection, progress('Exporting'))
    })
    for (const name of missing) console.error(`Missing, and not exported: ${name}`)
    for (const name of secrets) console.error(`Secret, and not exported: ${name}`)
    for (const what of undeclared) console.error(`Not declared by the site, and not exported: ${what}`)
    const say = args.file === STANDARD ? console.error : console.log
    say(`Exported ${counted(documents, 'document')} and ${counted(attachments, 'file')} to ${place}.`)
  },
})
