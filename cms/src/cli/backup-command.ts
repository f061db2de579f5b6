import { counted } from '../base/text.ts'
import { compileSite } from '../model/compile/site.ts'
import { openUploads } from '../service.ts'
import { placeOf, STANDARD } from './archive/output.ts'
import { makeBackup } from './backup/make-backup.ts'
import { command } from './command/command.ts'
import { quietLog } from './command/json-log.ts'
import { optionsOfStored } from './command/lost-database.ts'
import { progress } from './command/progress.ts'
import { loadSite, siteOption } from './command/site-module.ts'

/** `quire backup FILE`: the database and its uploads, as they are at one moment, in one file (§10.1). */
export const backup = command({
  meta: {
    name: 'backup',
    description: 'Write the database and its uploads into one file; the service may go on',
  },
  args: {
    file: {
      type: 'positional',
      required: true,
      description: 'The file to write, in place of an earlier one; - for standard output',
    },
    ...siteOption,
  },
  async run({ args }) {
    const place = placeOf(args.file)
    const options = { ...(await optionsOfStored(process.env)), log: quietLog }
    // A site that cannot be loaded is no reason to have no backup.
    const site = await siteName(args.site).catch(() => null)
    const files = await openUploads({ prefix: '' }, options)
    try {
      const reported = { onRows: progress('Database'), onUploads: progress('Uploads') }
      const { rows, missing, ...backup } = await makeBackup(args.file, { ...options, files, site, ...reported })
      for (const name of missing.names) console.error(`Missing: ${name}`)
      if (missing.count > missing.names.length) console.error(`… and ${missing.count - missing.names.length} more.`)
      if (missing.count > 0) console.error('The database names these uploads, but their files are not there.')
      const say = args.file === STANDARD ? console.error : console.log
      say(
        `Backed up ${counted(rows, 'row')} and ${counted(backup.files, 'file')} to ${place}. It holds passwords (hashed) and keys: keep it safe.`,
      )
    } finally {
      await files.close()
    }
  },
})

async function siteName(file: string | undefined): Promise<string> {
  const { site } = await loadSite(file, process.env)
  return compileSite(site).name
}
