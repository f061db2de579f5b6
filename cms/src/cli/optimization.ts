import { setFlagsFromString } from 'node:v8'

/** V8's compilers of optimized code; the second one is used since version 13, as of Node.js 24. */
const COMPILERS = Number.parseInt(process.versions.v8, 10) < 13 ? ['turbofan'] : ['turbofan', 'maglev']
/** Whoever runs Node.js has chosen compilers. */
const CHOSEN = /--(jitless|(no[-_]?)?(opt|turbofan|maglev))\b/
const isChosen = CHOSEN.test([...process.execArgv, process.env.NODE_OPTIONS].join(' '))

/**
 * From now on V8 makes no optimized code. While a service starts, nothing runs for long enough to be worth it, and it took
 * a sixth of the start's processor time and a tenth of the memory at rest.
 */
export function holdOptimization(): void {
  setCompilers('no-')
}

/** From now on V8 optimizes what runs often, as it does by itself. */
export function resumeOptimization(): void {
  setCompilers('')
}

function setCompilers(prefix: '' | 'no-'): void {
  if (isChosen) return
  for (const compiler of COMPILERS) setFlagsFromString(`--${prefix}${compiler}`)
}
