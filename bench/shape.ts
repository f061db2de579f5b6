import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { COMMANDS, DOORS } from '../cms/test/doors.ts'
import { enteredFiles } from './shape/entered-files.ts'
import { counted, type Figure, sourceFigures } from './shape/figures.ts'
import { readSourceFiles } from './shape/source-files.ts'
import { markdownTable } from './table.ts'

// `npm run shape`: the size and form of `cms/src`, without tests, and the targets. Prints a table.

const { values: flags } = parseArgs({
  options: {
    /** Prints what each figure counts, too. */
    list: { type: 'boolean', default: false },
    /** Ends with 1 when a figure is higher than it should be. */
    check: { type: 'boolean', default: false },
    /** Runs `npm test`, too, for its processor time. */
    time: { type: 'boolean', default: false },
  },
})
const SOURCE = fileURLToPath(new URL('../cms/src', import.meta.url))

const { get, patch } = await enteredFiles(SOURCE)
const figures: readonly Figure[] = [
  ...sourceFigures(readSourceFiles(SOURCE), { doors: DOORS.map(({ module }) => module), commands: COMMANDS }),
  counted('files entered by GET of an article, not cached', 60, get),
  counted('files entered by PATCH of an article', 90, patch),
  ...(flags.time ? [testTime()] : []),
]
const isMissed = ({ now, most }: Figure) => most !== null && now > most
console.log(markdownTable(['cms/src', 'now', 'at most', ''], figures.map(row)))
if (flags.list) for (const figure of figures.filter(({ listed }) => listed.length > 0)) printList(figure)
if (flags.check && figures.some(isMissed)) process.exitCode = 1

function row(figure: Figure): string[] {
  const { name, now, most } = figure
  const state = most === null ? '' : isMissed(figure) ? 'not ok' : 'ok'
  return [name, now.toLocaleString('en'), most?.toLocaleString('en') ?? '', state]
}

function printList({ name, listed }: Figure): void {
  console.log([`\n${name}:`, ...listed.map((line) => `  ${line}`)].join('\n'))
}

/** The processor time of `npm test`, that of its processes included, in minutes. */
function testTime(): Figure {
  // The shell prints its own time, and in the second line that of its processes: `1m1.234s 0m0.567s`.
  const { stdout, status } = spawnSync('sh', ['-c', 'npm test >&2 && times'], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (status !== 0) throw new Error('`npm test` fails.')
  const [, times = ''] = String(stdout).split('\n')
  const parts = [...times.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) + Number(seconds) / 60,
  )
  const minutes = parts.reduce((total, part) => total + part, 0)
  return { name: 'processor time of npm test, minutes', now: Math.round(minutes * 10) / 10, most: 5, listed: [] }
}
