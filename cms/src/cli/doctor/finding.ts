import { stat } from 'node:fs/promises'

/** A result of a check, and its remedy. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  /** The subject of the check: `database`, `storage`. */
  readonly about: string
  readonly message: string
  /** The remedy; null where nothing is to be done. */
  readonly advice: string | null
}

/** The findings about one subject. */
export class Findings {
  readonly #about: string
  readonly all: Finding[] = []

  constructor(about: string) {
    this.#about = about
  }

  ok(message: string): void {
    this.#add('ok', message, null)
  }

  warn(message: string, advice: string): void {
    this.#add('warn', message, advice)
  }

  fail(message: string, advice: string): void {
    this.#add('fail', message, advice)
  }

  #add(level: Finding['level'], message: string, advice: string | null): void {
    this.all.push({ level, about: this.#about, message, advice })
  }
}

/** A number of bytes for people. */
export function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1000)} kB`
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}

/** Whether this user may not even see what is at a path: whether there is something, then, is not known. */
export async function isDenied(found: Findings, path: string): Promise<boolean> {
  const code = await stat(path).then(
    () => '',
    (error: NodeJS.ErrnoException) => error.code,
  )
  if (code !== 'EACCES' && code !== 'EPERM') return false
  found.fail(
    `This user may not enter the folder of ${path}.`,
    'Run this as the user of the service, or let this one enter the folder.',
  )
  return true
}
