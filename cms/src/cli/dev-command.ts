import { command } from './command/command.ts'
import { address } from './command/environment.ts'
import { listenOptions, siteFile } from './command/site-module.ts'
import { Development } from './dev/development.ts'
import { Entrance } from './dev/entrance.ts'

/** `quire dev`: serves the site, and starts it again whenever its files change. */
export const dev = command({
  meta: { name: 'dev', description: 'Serve the site while you write it: it restarts when its files change' },
  args: { ...listenOptions, open: { type: 'boolean', description: 'Open the site in the browser' } },
  async run({ args }) {
    const { port, host } = address(args, process.env)
    const site = siteFile(args.site, process.env)
    const entrance = new Entrance()
    const listening = await entrance.listen(port, host)
    const serviceArgs = [
      '--port',
      String(listening),
      '--host',
      host,
      ...(args.site === undefined ? [] : ['--site', args.site]),
    ]
    const development = new Development(
      {
        args: [...serviceArgs, ...(args.new === true ? ['--new'] : [])],
        siteFile: site,
        opensBrowser: args.open === true,
      },
      entrance,
    )
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => void development.stop().then(() => process.exit()))
    }
    await development.run()
  },
})
