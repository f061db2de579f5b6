// Loaded before a program by `--import`: its clock is off by so many milliseconds.

const OFF = Number(process.env.TEST_CLOCK_OFF)
const Right = globalThis.Date

globalThis.Date = class extends Right {
  constructor(...args: unknown[]) {
    // `as`: whatever a date can be made of.
    super(...((args.length === 0 ? [Right.now() + OFF] : args) as [number]))
  }

  static override now(): number {
    return Right.now() + OFF
  }
} as DateConstructor
