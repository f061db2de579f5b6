import type { Log } from './log.ts'
import type { Span, SpanFacts, Tracer } from './spans.ts'
import { hasCode } from './thrown.ts'

/** Where version 1 of the interface of OpenTelemetry keeps what an SDK has registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')
const PACKAGE = '@opentelemetry/api'

let tracer: Tracer | null = null

/**
 * Makes spans from now on if an SDK of OpenTelemetry is registered in this process, and none otherwise: then nothing is
 * loaded, and work costs what it costs without.
 */
export async function startTracing(log: Log): Promise<void> {
  if (!isSdkRegistered()) tracer = null
  else tracer ??= await loadTracer(log)
}

/** The tracer; null where nothing is traced. */
export function currentTracer(): Tracer | null {
  return tracer
}

/** Runs work in a span of its own; without tracing, just runs it. */
export function inSpan<T>(facts: () => SpanFacts, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer === null ? work(NO_SPAN) : tracer.run(facts(), work)
}

const NO_SPAN: Span = { set: () => {} }

function isSdkRegistered(): boolean {
  const registered: unknown = Reflect.get(globalThis, REGISTERED)
  return typeof registered === 'object' && registered !== null && 'trace' in registered
}

async function loadTracer(log: Log): Promise<Tracer | null> {
  try {
    const { openTelemetry } = await import('./open-telemetry.ts')
    return openTelemetry()
  } catch (error) {
    if (!hasCode(error, 'ERR_MODULE_NOT_FOUND') || !error.message.includes(PACKAGE)) throw error
    log.warn({}, `An SDK of OpenTelemetry is registered, but nothing is traced. Run: npm install ${PACKAGE}`)
    return null
  }
}
