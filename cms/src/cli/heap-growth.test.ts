import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const modules = ['heap-growth', 'optimization', 'compact-heap'].map((name) => new URL(`./${name}.ts`, import.meta.url))
const START = `
  const [growth, optimization, heap] = await Promise.all(${JSON.stringify(modules)}.map((url) => import(url)))
  growth.keepHeapSmall()
  optimization.holdOptimization()
  growth.boundHeapGrowth()
  optimization.resumeOptimization()
  await heap.compactHeap()
  console.log('started')`

test('V8 knows all flags that a start sets, in the version of Node.js that runs it', () => {
  const args = ['--no-warnings', '--input-type=module', '--eval', START]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ stdout, stderr }).toEqual({ stdout: 'started\n', stderr: '' })
})
