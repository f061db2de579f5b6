import type { Log } from '../base/log.ts'

/** A log for commands: warnings and errors go to the terminal, the rest nowhere. */
export const quietLog: Log = {
  info: () => {},
  warn: (data, message) => console.error(message, data),
  error: (data, message) => console.error(message, data),
}

/** The log of the running service: one JSON line per entry on stderr. The logger is loaded on first use. */
export function serviceLog(): Log {
  let opening: Promise<Log> | null = null
  const write = (level: keyof Log) => (data: object, message: string) => {
    opening ??= openLog()
    void opening.then((log) => log[level](data, message))
  }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

async function openLog(): Promise<Log> {
  const { destination, pino, stdSerializers } = await import('pino')
  const log: Log = pino({ serializers: { error: stdSerializers.err } }, destination({ dest: 2, sync: true }))
  return log
}
