import type { App } from '../service.ts'
import { command } from './command.ts'
import { address, logsRequests } from './environment.ts'
import { listenOptions } from './listen-options.ts'
import { logLevel, serviceLog } from './log.ts'
import { openService, shownAddress, welcomeTo } from './open-service.ts'
import { boundYoungGeneration, keepYoungGenerationSmall } from './young-generation.ts'

/** `quire serve`: opens the database, migrates it, seeds an empty one, and serves requests. */
export const serve = command({
  meta: { name: 'serve', description: 'Serve the site over HTTP' },
  args: listenOptions,
  async run({ args }) {
    keepYoungGenerationSmall()
    const { port, host } = address(args, process.env)
    const log = serviceLog(logLevel(process.env))
    const opened = await openService(process.env, {
      site: args.site,
      isNew: args.new === true,
      log,
      ...(logsRequests(process.env, false)
        ? { accessLog: (answered) => log.info(answered, 'A request was answered.') }
        : {}),
      onOpen: stopOnSignals,
    })
    const listening = await opened.app.listen(port, host)
    boundYoungGeneration()
    console.log(await welcomeTo(opened, shownAddress(Number(new URL(listening).port || '80'), host)))
  },
})

/** Stops gracefully at the first signal, for at most as long as the options say, and at once at the second one. */
function stopOnSignals(app: App): void {
  let isStopping = false
  const stop = () => {
    if (isStopping) process.exit(1)
    isStopping = true
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
}
