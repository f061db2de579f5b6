import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { testDatabases } from '../../cms/test/databases.ts'
import { beginAnthropic } from './anthropic-conversation.ts'
import { type EvaluationRun, resultsText, type TaskResult } from './evaluation-results.ts'
import type { Begin } from './language-model.ts'
import { type ModelWork, workOf } from './model-worker.ts'
import { type Newsroom, prepareNewsrooms } from './newsroom.ts'
import { beginOpenAi } from './openai-conversation.ts'
import type { Task } from './task.ts'
import { TASKS } from './tasks.ts'
import { trial } from './trial.ts'

/**
 * `npm run evaluate -- --model NAME --url https://…`: a model does the editing tasks. `EVALUATE_KEY` is the key of its
 * endpoint. Writes what came of it to `results/`, or to `--out`.
 */
const { values: options } = parseArgs({
  options: {
    model: { type: 'string' },
    url: { type: 'string' },
    protocol: { type: 'string', default: 'openai' },
    tasks: { type: 'string' },
    steps: { type: 'string', default: '100' },
    'price-in': { type: 'string' },
    'price-out': { type: 'string' },
    out: { type: 'string' },
  },
})

const PROTOCOLS: ReadonlyMap<string, Begin> = new Map([
  ['openai', beginOpenAi],
  ['anthropic', beginAnthropic],
])

type Work = (task: Task, tools: Parameters<typeof workOf>[2]) => Promise<ModelWork>

function workOfModel(): Work {
  const { model: name, url } = options
  const begin = PROTOCOLS.get(options.protocol)
  if (name === undefined || url === undefined) fail('Say which model, and where it is: --model NAME --url https://…')
  if (begin === undefined) fail(`--protocol is ${[...PROTOCOLS.keys()].join(' or ')}, not “${options.protocol}”.`)
  const model = { name, url: url.replace(/\/$/, ''), key: process.env.EVALUATE_KEY }
  const mostSteps = numberOf('steps')
  return (task, tools) => workOf({ begin, model, mostSteps }, task, tools)
}

function numberOf(name: 'steps' | 'price-in' | 'price-out'): number {
  const number = Number(options[name])
  return number >= 0 ? number : fail(`--${name} is a number, not “${options[name]}”.`)
}

function chosenTasks(): readonly Task[] {
  const ids = options.tasks?.split(',')
  const unknown = ids?.filter((id) => TASKS.every((task) => task.id !== id)) ?? []
  if (unknown.length > 0)
    fail(`There is no task ${unknown.join(', ')}. There are: ${TASKS.map(({ id }) => id).join(', ')}.`)
  return TASKS.filter(({ id }) => ids?.includes(id) ?? true)
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

async function resultOf(task: Task, open: () => Promise<Newsroom>, work: Work): Promise<TaskResult> {
  let done: ModelWork = { answer: '', tokens: { input: 0, output: 0 }, steps: 0 }
  const differences = await trial(task, open, async (_, tools) => {
    done = await work(task, tools)
    return done.answer
  })
  console.log(
    `${differences.length === 0 ? 'passed' : 'failed'} ${task.id}${differences.map((one) => `\n  ${one}`).join('')}`,
  )
  return { id: task.id, differences, tokens: done.tokens, steps: done.steps }
}

async function run(): Promise<EvaluationRun> {
  const [tasks, work] = [chosenTasks(), workOfModel()]
  const hasPrices = options['price-in'] !== undefined && options['price-out'] !== undefined
  const prices = hasPrices ? { input: numberOf('price-in'), output: numberOf('price-out') } : null
  const [databases] = testDatabases
  if (databases === undefined) throw new Error('There is a kind of database.')
  const open = await prepareNewsrooms(databases)
  const results: TaskResult[] = []
  for (const task of tasks) results.push(await resultOf(task, open, work))
  return { date: new Date().toISOString().slice(0, 10), model: options.model ?? '', results, prices }
}

const made = await run()
const fileName = `${made.date}-${made.model.replaceAll(/[^\w.-]+/g, '-')}.md`
const file = options.out ?? join(import.meta.dirname, 'results', fileName)
await mkdir(dirname(file), { recursive: true })
await writeFile(file, resultsText(made))
console.log(`Written: ${file}`)
