import { counted, withoutPassword } from '../base/text.ts'
import { openUploads } from '../service.ts'
import { withArchive } from './archive/archive-input.ts'
import { restoreBackup } from './backup/restore-backup.ts'
import { command } from './command/command.ts'
import { appOptions } from './command/environment.ts'
import { quietLog } from './command/json-log.ts'
import { progress } from './command/progress.ts'

/** `quire restore FILE`: the database and its uploads as they were when the backup was made (§10.2). */
export const restore = command({
  meta: {
    name: 'restore',
    description: 'Put back the database and its uploads from a backup, wholly or not at all',
  },
  args: {
    file: { type: 'positional', required: true, description: 'The backup; - for standard input' },
    force: { type: 'boolean', description: 'Replace the database and the uploads that are there' },
    webhooks: {
      type: 'boolean',
      default: true,
      description: 'Go on sending webhooks',
      negativeDescription: 'Switch webhooks off, and send no deliveries that wait: for a copy of a site that goes on',
    },
  },
  async run({ args }) {
    const options = { ...appOptions(process.env), log: quietLog }
    const files = await openUploads({ prefix: '' }, options)
    try {
      await withArchive(args.file, async (archive) => {
        const onProgress = progress('Restoring')
        const given = { force: args.force === true, webhooks: args.webhooks }
        const result = await restoreBackup(archive, { ...options, files, ...given, onProgress })
        const { rows, uploads, createdAt, isOlder, waiting } = result
        console.log(
          `${withoutPassword(options.database)} is as it was at ${createdAt}: ${counted(rows, 'row')} and ${counted(uploads, 'file')}.`,
        )
        if (isOlder)
          console.log('The backup is from an earlier version: the service updates the tables when it starts.')
        for (const line of waiting.lines()) console.log(line)
        console.log('Sessions and API keys that were revoked since then are valid again: see quire key list.')
      })
    } finally {
      await files.close()
    }
  },
})
