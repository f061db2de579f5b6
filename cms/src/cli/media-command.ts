import { defineCommand } from 'citty'
import { counted } from '../base/text.ts'
import { cleanUploads, NOT_LINKED } from '../features/media/clean-media.ts'
import { rescaleImages } from '../features/media/rescale.ts'
import { linkUploads } from '../features/media/uploads-link.ts'
import { command } from './command/command.ts'
import { UsageError } from './command/failure.ts'
import { withApp } from './command/operator.ts'
import { progress } from './command/progress.ts'
import { siteOption } from './command/site-module.ts'

const clean = command({
  meta: {
    name: 'clean',
    description: 'Remove unused uploads older than a day, and files left over; list unknown ones',
  },
  args: {
    ...siteOption,
    unknown: { type: 'boolean', description: 'Remove also files that this database never knew' },
  },
  async run({ args }) {
    const options = { onProgress: progress('Cleaning'), removesUnknown: args.unknown === true }
    const { isLinked, unused, leftOver, unknown } = await withApp(args.site, (ctx) => cleanUploads(ctx, options))
    if (!isLinked) throw new UsageError(NOT_LINKED)
    console.log(`Removed ${counted(unused, 'unused upload')} and ${counted(leftOver, 'file')} of no upload.`)
    if (unknown.count === 0) return
    console.log(
      `${counted(unknown.count, 'file')} that this database never knew (--unknown removes those older than a day):`,
    )
    for (const name of unknown.names) console.log(`  ${name}`)
    if (unknown.count > unknown.names.length) console.log('  …')
  },
})

const link = command({
  meta: { name: 'link', description: 'Declare that the folder or bucket of uploads belongs to this database' },
  args: siteOption,
  async run({ args }) {
    await withApp(args.site, linkUploads)
    console.log('The uploads belong to this database now. See what is unknown to it with: quire media clean')
  },
})

const rescale = command({
  meta: { name: 'rescale', description: 'Make all sizes and crops of all images again; resumes where it was stopped' },
  args: siteOption,
  async run({ args }) {
    const { images, failed } = await withApp(args.site, (ctx) => rescaleImages(ctx, progress('Scaling')))
    console.log(`Made the sizes of ${counted(images, 'image')} again.`)
    if (failed === 0) return
    console.error(`${counted(failed, 'image')} could not be scaled: the originals are missing or damaged.`)
    process.exitCode = 1
  },
})

/** `quire media clean|link|rescale`: maintenance of uploads. */
export const media = defineCommand({
  meta: { name: 'media', description: 'Maintain uploads' },
  subCommands: { clean, link, rescale },
})
