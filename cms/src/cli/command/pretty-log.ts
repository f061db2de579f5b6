import { inspect, styleText } from 'node:util'
import type { Log } from '../../base/log.ts'
import type { AnsweredRequest } from '../../http/pipeline/answered-request.ts'
import { filtered, type LogLevel } from './json-log.ts'

// pino-pretty would bring a dozen packages for what is one function here.

const KINDS = { info: ['INFO ', 'blue'], warn: ['WARN ', 'yellow'], error: ['ERROR', 'red'] } as const

/** A log for people: coloured on a terminal, with what belongs to a message in lines of its own. */
export function prettyLog(level: LogLevel): Log {
  return filtered(level, (kind, data, message) => {
    const [word, colour] = KINDS[kind]
    printLine(`${paint(colour, word)} ${message}${details(data)}`)
  })
}

/** Prints one line about a request: `GET /api/v1/article 200 3.1 ms 4.2 kB`. */
export function prettyRequest({ method, path, status, ms, bytes, cached, aborted }: AnsweredRequest): void {
  const notes = [...(cached ? ['cached'] : []), ...(aborted === true ? ['broken off by the caller'] : [])]
  const rest = paint('dim', [`${ms} ms`, size(bytes), ...notes].join('  '))
  printLine(`${method.padEnd(6)} ${path}  ${paint(statusColour(status), String(status))}  ${rest}`)
}

/** A line with the time before it. */
export function printLine(line: string): void {
  console.error(`${paint('dim', new Date().toTimeString().slice(0, 8))}  ${line}`)
}

/** Colours a text, where the log is on a terminal. */
export function paint(colour: Parameters<typeof styleText>[0], text: string): string {
  return styleText(colour, text, { stream: process.stderr })
}

function statusColour(status: number) {
  if (status >= 500) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Short values on one line, and each that needs several on lines of its own. */
function details(data: object): string {
  const values = Object.entries(data).map(([name, value]) => {
    const text = typeof value === 'string' ? value : inspect(value, { depth: 4, breakLength: 100 })
    return `${paint('dim', `${name}:`)} ${text}`
  })
  const short = values.filter((value) => !value.includes('\n'))
  const lines = [...(short.length > 0 ? [short.join('  ')] : []), ...values.filter((value) => value.includes('\n'))]
  return lines.map((line) => `\n${line}`.replaceAll('\n', '\n                 ')).join('')
}
