import { defineCommand } from 'citty'
import { command } from './command.ts'
import { progress } from './progress.ts'
import { siteOption } from './site-module.ts'

const clean = command({
  meta: { name: 'clean', description: 'Remove uploads older than a day that nothing uses, and files of no upload' },
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
  meta: { name: 'rescale', description: 'Make all sizes and crops of all images again; goes on where it was stopped' },
  args: siteOption,
  async run({ args }) {
    const [{ withApp }, { rescaleImages }] = await Promise.all([
      import('./operator.ts'),
      import('../features/media/rescale.ts'),
    ])
    const { images, failed } = await withApp(args.site, (ctx) => rescaleImages(ctx, progress('Scaling')))
    console.log(`Made the sizes of ${counted(images, 'image')} again.`)
    if (failed === 0) return
    console.error(`${counted(failed, 'image')} could not be scaled: their originals are gone or damaged.`)
    process.exitCode = 1
  },
})

/** `quire media …`: looks after uploads. */
export const media = defineCommand({
  meta: { name: 'media', description: 'Look after uploads' },
  subCommands: { clean, rescale },
})

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
