import type { Log } from '../base/log.ts'
import type { Environment } from './env-file.ts'
import { UsageError } from './failure.ts'

/** What the running service logs: what is below its level is dropped. */
export type LogLevel = (typeof LEVELS)[number]

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** A log for commands: warnings and errors go to the terminal, the rest nowhere. */
export const quietLog: Log = {
  info: () => {},
  warn: (data, message) => console.error(message, data),
  error: (data, message) => console.error(message, data),
}

/** The level that QUIRE_LOG_LEVEL names; `info` when left out. */
export function logLevel({ QUIRE_LOG_LEVEL: text = '' }: Environment): LogLevel {
  const name = text.trim().toLowerCase()
  const level = LEVELS.find((each) => each === (name === '' ? 'info' : name))
  if (level !== undefined) return level
  throw new UsageError(`QUIRE_LOG_LEVEL must be one of ${LEVELS.join(', ')}, not “${text.trim()}”.`)
}

/** The log of the running service: one JSON line per entry on stderr. The logger is loaded on first use. */
export function serviceLog(level: LogLevel): Log {
  let opening: Promise<Log> | null = null
  return filtered(level, (kind, data, message) => {
    opening ??= openLog()
    void opening.then((log) => log[kind](data, message))
  })
}

/** A log that drops what is below its level, and writes the rest. */
export function filtered(level: LogLevel, write: (kind: keyof Log, data: object, message: string) => void): Log {
  const at = (kind: keyof Log) =>
    LEVELS.indexOf(kind) < LEVELS.indexOf(level)
      ? () => {}
      : (data: object, message: string) => write(kind, data, message)
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

async function openLog(): Promise<Log> {
  const { destination, pino, stdSerializers } = await import('pino')
  const log: Log = pino({ serializers: { error: stdSerializers.err } }, destination({ dest: 2, sync: true }))
  return log
}
