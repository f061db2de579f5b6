import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

const TICK_MS = 10

/**
 * Processor time that a process has used, all its threads together, in milliseconds, as Linux reports it; NaN elsewhere.
 */
export function processorMilliseconds(pid: number): number {
  return processOf(pid)?.milliseconds ?? Number.NaN
}

/** Bytes of memory of a process; NaN where the system does not say. */
export function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}

/** How many files and sockets a process has open; NaN where it has ended. */
export function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return Number.NaN
  }
}

/** A process, and all that it has started. On Linux only. */
export function processTree(pid: number): number[] {
  const processes = allProcesses()
  const below = (pid: number): number[] =>
    processes.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...below(child.pid)])
  return [pid, ...below(pid)]
}

/** Processor time at a moment, in milliseconds: of a process and all that it has started, and of the whole machine. */
export interface ProcessorTimes {
  ofTree(pid: number): number
  /** Of each process that it has started itself. */
  ofChildren(pid: number): number[]
  readonly machine: number
}

/** The processor time that all processes have used so far. On Linux only. */
export function processorTimes(): ProcessorTimes {
  const processes = allProcesses()
  const childrenOf = (pid: number) => processes.filter(({ parent }) => parent === pid)
  const ofTree = (pid: number): number =>
    childrenOf(pid).reduce(
      (sum, child) => sum + ofTree(child.pid),
      processes.find((process) => process.pid === pid)?.milliseconds ?? 0,
    )
  return {
    ofTree,
    ofChildren: (pid) => childrenOf(pid).map(({ milliseconds }) => milliseconds),
    machine: cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0),
  }
}

function allProcesses(): Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => processOf(Number(pid))).filter((process) => process !== null)
}

interface Process {
  readonly pid: number
  readonly parent: number
  readonly milliseconds: number
}

/** Null where it has ended. */
function processOf(pid: number): Process | null {
  try {
    const [, fields = ''] = /\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
    const numbers = fields.split(' ').map(Number)
    const [user = 0, system = 0] = numbers.slice(11, 13)
    return { pid, parent: numbers[1] ?? 0, milliseconds: (user + system) * TICK_MS }
  } catch {
    return null
  }
}
