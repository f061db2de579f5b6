import { hostname } from 'node:os'
import { inspect } from 'node:util'
import type { Log } from '../../base/log.ts'
import type { Environment } from './environment.ts'
import { UsageError } from './failure.ts'

/** The levels of the service's log: entries below the chosen one are dropped. */
export type LogLevel = (typeof LEVELS)[number]

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** A log for commands: warnings and errors go to the terminal, the rest nowhere. */
export const quietLog: Log = {
  info: () => {},
  warn: printed('error'),
  error: printed('error'),
}

/** A log method that prints a message to the terminal, and its data where there are any. */
export function printed(output: 'log' | 'error'): Log['info'] {
  return (data, message) => console[output](message, ...(Object.keys(data).length > 0 ? [data] : []))
}

/** A log for commands that report everything themselves. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** The level that QUIRE_LOG_LEVEL names; `info` when left out. */
export function logLevel({ QUIRE_LOG_LEVEL: text = '' }: Environment): LogLevel {
  const name = text.trim().toLowerCase()
  const level = LEVELS.find((each) => each === (name === '' ? 'info' : name))
  if (level !== undefined) return level
  throw new UsageError(`QUIRE_LOG_LEVEL must be one of ${LEVELS.join(', ')}, not “${text.trim()}”.`)
}

/** The numbers by which programs that read logs know the levels. */
const NUMBERS = { info: 30, warn: 40, error: 50 } as const

/** The log of the running service: one JSON line per entry on stderr. */
export function serviceLog(level: LogLevel): Log {
  const host = hostname()
  return filtered(level, (kind, data, message) => {
    const facts = { level: NUMBERS[kind], time: Date.now(), pid: process.pid, hostname: host }
    process.stderr.write(`${lineOf(facts, data, message)}\n`)
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

/** Data that cannot be JSON, since it holds itself, is shown as text. */
function lineOf(facts: object, data: object, msg: string): string {
  try {
    return JSON.stringify({ ...facts, ...data, msg }, shownError)
  } catch {
    return JSON.stringify({ ...facts, data: inspect(data), msg })
  }
}

/** An error has no properties of its own that JSON shows. */
function shownError(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (!(value instanceof Error)) return value
  const { name, message, stack, cause } = value
  return { ...value, type: name, message, stack, ...(cause === undefined ? {} : { cause }) }
}
