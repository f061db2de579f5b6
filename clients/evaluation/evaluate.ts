import { evaluate } from './evaluating.ts'

/**
 * `npm run evaluate -- --model NAME --url https://…`: a model does the editing tasks. `EVALUATE_KEY` is the key of its
 * endpoint.
 */
try {
  console.log(`Written: ${await evaluate(process.argv.slice(2), process.env.EVALUATE_KEY, console.log)}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
