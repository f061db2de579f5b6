import { spawn } from 'node:child_process'
import { tell } from '../command/pretty-log.ts'

/** Opens an address in the browser that people use on this machine. */
export function openBrowser(url: string): void {
  const [program, ...args] = commandFor(url)
  const child = spawn(program, args, { stdio: 'ignore', detached: true })
  child.on('error', () => tell(`There is no ${program} here to open a browser with. The address is ${url}`))
  child.unref()
}

function commandFor(url: string): readonly [program: string, ...args: string[]] {
  if (process.platform === 'darwin') return ['open', url]
  return process.platform === 'win32' ? ['cmd', '/c', 'start', '""', url] : ['xdg-open', url]
}
