import { parseArgs } from 'node:util'
import { type Difference, differences } from './replay/compare.ts'
import { comingProperties, deviations, propertyDeviations, unsendable } from './replay/deviations.ts'
import { learnNames, type Names, type Recording, readRecordings, unknownNames, withNames } from './replay/recording.ts'
import { onlyResult } from './replay/selections.ts'
import { type SentAnswer, send } from './replay/send.ts'
import { standIns } from './replay/stand-ins.ts'

const SECTIONS = ['4.1', '4.2', '4.3', '4.5', '4.7', '5', '7', 'extras']

const RESULTS = ['same', 'different on purpose', 'to come', 'different', 'skipped'] as const

/** The outcome of one recording. */
interface Outcome {
  readonly recording: Recording
  readonly result: (typeof RESULTS)[number]
  /** One line for each difference, or the reason. */
  readonly lines: readonly string[]
}

interface Target {
  readonly address: string
  readonly namespace: string
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string', default: `http://localhost:${process.env.PORT ?? 3900}` },
    section: { type: 'string', multiple: true },
    verbose: { type: 'boolean', default: false },
  },
})
const file = positionals[0] ?? process.env.QUIRE_RECORDINGS
if (file === undefined) {
  console.error('Name the file of recordings: npm run replay -- <file>, or set QUIRE_RECORDINGS.')
  process.exit(2)
}
const target = { address: values.url, namespace: process.env.QUIRE_NAMESPACE ?? '@cms' }
const outcomes = await replay(readRecordings(file, target.namespace), target, values.section ?? SECTIONS)
report(outcomes, values.verbose)
process.exitCode = outcomes.some((outcome) => outcome.result === 'different') ? 1 : 0

/** Sends all recordings of the sections, in order, with what stands in for those that are missing. */
async function replay(
  recordings: readonly Recording[],
  target: Target,
  sections: readonly string[],
): Promise<Outcome[]> {
  const names: Names = new Map()
  const outcomes: Outcome[] = []
  for (const recording of recordings) {
    for (const standIn of standIns.filter((one) => one.before === recording.id)) await prepare(standIn, target, names)
    if (isInScope(recording, sections, target)) outcomes.push(await replayOne(recording, target, names))
  }
  return outcomes
}

/** `4.1`, `4.2`, `4.3`, `4.5` and `4.7` mean all of them; the others only themselves. Other areas come with their own sections. */
function isInScope(recording: Recording, sections: readonly string[], target: Target): boolean {
  const named = sections.some((section) => {
    return (
      recording.section === section || (/^4\.[12357]$/.test(section) && recording.section.startsWith(`${section} `))
    )
  })
  const { namespace } = target
  const isOurs =
    !recording.path.includes(`/${namespace}/`) ||
    recording.path.includes(`/${namespace}/page`) ||
    recording.path.includes(`/${namespace}/i18n/`) ||
    recording.path.includes(`/${namespace}/url/literal-routes`)
  return named && (isOurs || /^4\.(1 _|3 |7 )/.test(recording.section))
}

async function prepare(standIn: (typeof standIns)[number], target: Target, names: Names): Promise<void> {
  const request = withNames(JSON.parse(JSON.stringify(standIn).replaceAll('@cms', target.namespace)), names)
  const answer = await send(target.address, request, names)
  if (answer.status !== 200) console.error(`Stand-in ${standIn.id}: ${answer.status} ${JSON.stringify(answer.body)}`)
  for (const name of standIn.saves ?? []) {
    const made = onlyResult(answer.body)
    learnNames({ aposDocId: `{{${name}}}` }, made, names)
    // Attachments have nothing but this.
    learnNames({ _id: `{{${name}}}` }, made, names)
  }
}

async function replayOne(recording: Recording, target: Target, names: Names): Promise<Outcome> {
  const { path, query, body, requestHeaders } = recording
  const unknown = unknownNames([path, query, body, requestHeaders], names)
  const reason = unsendable[recording.id] ?? (unknown.length > 0 ? `nobody made ${unknown.join(', ')}` : null)
  if (reason !== null) return { recording, result: 'skipped', lines: [reason] }
  const answer = await send(target.address, withNames(recording, names), names)
  saveNames(recording, answer, names)
  return judge(withNames(recording, names), answer)
}

function saveNames(recording: Recording, answer: SentAnswer, names: Names): void {
  learnNames(recording.response, answer.body, names)
  if (recording.saves?.includes('cookie')) names.set('cookie', answer.headers.get('set-cookie')?.split(';')[0] ?? '')
  for (const name of recording.saves ?? []) {
    if (!names.has(name)) learnNames({ aposDocId: `{{${name}}}` }, answer.body, names)
  }
}

function judge(recording: Recording, answer: SentAnswer): Outcome {
  const found = differences(recording, answer)
  if (found.length === 0) return { recording, result: 'same', lines: valueNotes(recording, answer) }
  const reason = deviations[recording.id]
  if (reason !== undefined) return { recording, result: 'different on purpose', lines: [reason] }
  const explained = found.map((difference) => ({ difference, ...explanation(recording, difference) }))
  const open = explained.filter((one) => one.result === 'different')
  const lines = [...new Set(explained.map((one) => one.reason))]
  if (open.length === 0) {
    const isComing = explained.some((one) => one.result === 'to come')
    return { recording, result: isComing ? 'to come' : 'different on purpose', lines }
  }
  const missing = open.map(({ difference }) => `${difference.path || 'answer'}: ${difference.problem}`)
  return { recording, result: 'different', lines: [...missing, `ours: ${JSON.stringify(answer.body)?.slice(0, 300)}`] }
}

function explanation(recording: Recording, { path }: Difference): { result: Outcome['result']; reason: string } {
  const matches = (one: { path: RegExp; as?: string }) =>
    one.path.test(path) && (one.as ?? recording.as) === recording.as
  const onPurpose = propertyDeviations.find(matches)
  if (onPurpose) return { result: 'different on purpose', reason: onPurpose.reason }
  const coming = comingProperties.find(matches)
  return coming ? { result: 'to come', reason: coming.reason } : { result: 'different', reason: '' }
}

/** Where the shapes agree but a list holds other documents: worth a look, never a failure. */
function valueNotes(recording: Recording, answer: SentAnswer): string[] {
  const titles = property(recording.response, 'titles')
  const results = property(answer.body, 'results')
  if (!Array.isArray(titles) || !Array.isArray(results)) return []
  const ours = results.map((result) => property(result, 'title'))
  return JSON.stringify(titles) === JSON.stringify(ours)
    ? []
    : [`titles ${JSON.stringify(ours)}, recorded ${JSON.stringify(titles)}`]
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([own]) => own === name)?.[1]
    : undefined
}

function report(outcomes: readonly Outcome[], verbose: boolean): void {
  const sections = Map.groupBy(outcomes, (outcome) => outcome.recording.section)
  const count = (some: readonly Outcome[], result: Outcome['result']) =>
    some.filter((outcome) => outcome.result === result).length
  const counts = (some: readonly Outcome[]) => RESULTS.map((result) => `${count(some, result)} ${result}`).join(', ')
  for (const [section, some] of sections) {
    console.log(`${section}: ${counts(some)}`)
    for (const { recording, result, lines } of some) {
      if (result === 'same' && (!verbose || lines.length === 0)) continue
      if ((result === 'different on purpose' || result === 'to come') && !verbose) continue
      console.log(
        `  ${recording.id} ${recording.as} ${recording.method} ${recording.path} ${JSON.stringify(recording.query ?? '')} ${JSON.stringify(recording.body ?? '').slice(0, 200)} — ${result}`,
      )
      for (const line of lines) console.log(`    ${line}`)
    }
  }
  console.log(`All: ${counts(outcomes)}`)
}
