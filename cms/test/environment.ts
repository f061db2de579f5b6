/** Variables that make the service, the libraries that it uses, or a program started by npm behave otherwise. */
const CHANGING = /^(QUIRE_(?!TEST_)|LANTERN_|AWS_|npm_lifecycle_|PORT$|HOST$)/

/**
 * For vitest: what the environment of whoever runs the tests says to a service of theirs, it does not say to those of
 * the tests, which inherit it.
 */
export function setup(): void {
  for (const name of Object.keys(process.env)) if (CHANGING.test(name)) delete process.env[name]
}
