#!/usr/bin/env node
// Plain JavaScript that older versions of Node.js read too.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major >= 24 || (major === 22 && minor >= 18)) {
  const { main } = await import('../dist/main.js')
  process.exitCode = await main(process.argv.slice(2))
} else {
  console.error(
    `Quire needs Node.js 24 or newer, or version 22 from 22.18 onwards; this is ${process.versions.node}. Install one from https://nodejs.org.`,
  )
  process.exitCode = 1
}
