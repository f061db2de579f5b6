import { defineCommand } from 'citty'
import { command } from './command.ts'
import { progress } from './progress.ts'
import { siteOption } from './site-module.ts'

const clean = command({
  meta: { name: 'clean', description: 'Remove unused uploads older than a day, and files of no upload' },
  args: siteOption,
  async run({ args }) {
    const [{ withApp }, { cleanUploads }] = await Promise.all([
      import('./operator.ts'),
      import('../features/media/clean.ts'),
    ])
    const { unused, stray } = await withApp(args.site, (ctx) => cleanUploads(ctx, progress('Cleaning')))
    console.log(`Removed ${counted(unused, 'upload')} that nothing used and ${counted(stray, 'stray file')}.`)
  },
})

const rescale = command({
  meta: { name: 'rescale', description: 'Make all sizes and crops of all images again; resumes where it was stopped' },
  args: siteOption,
  async run({ args }) {
    const [{ withApp }, { rescaleImages }] = await Promise.all([
      import('./operator.ts'),
      import('../features/media/rescale.ts'),
    ])
    const { images, failed } = await withApp(args.site, (ctx) => rescaleImages(ctx, progress('Scaling')))
    console.log(`Made the sizes of ${counted(images, 'image')} again.`)
    if (failed === 0) return
    console.error(`${counted(failed, 'image')} could not be scaled: the originals are missing or damaged.`)
    process.exitCode = 1
  },
})

/** `quire media clean|rescale`: maintenance of uploads. */
export const media = defineCommand({
  meta: { name: 'media', description: 'Maintain uploads' },
  subCommands: { clean, rescale },
})

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
