import { hostname } from 'node:os'
import { inspect } from 'node:util'
import type { Log } from '../base/log.ts'

/** A log for commands: warnings and errors go to the terminal, the rest nowhere. */
export const quietLog: Log = {
  info: () => {},
  warn: (data, message) => console.error(message, data),
  error: (data, message) => console.error(message, data),
}

/** The numbers by which programs that read logs know the levels. */
const LEVELS = { info: 30, warn: 40, error: 50 } as const

/** The log of the running service: one JSON line per entry on stderr. */
export function serviceLog(): Log {
  const host = hostname()
  const write = (level: keyof Log) => (data: object, message: string) => {
    const facts = { level: LEVELS[level], time: Date.now(), pid: process.pid, hostname: host }
    process.stderr.write(`${lineOf(facts, data, message)}\n`)
  }
  return { info: write('info'), warn: write('warn'), error: write('error') }
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
