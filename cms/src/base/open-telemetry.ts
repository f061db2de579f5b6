import { context, type Span as OpenSpan, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import packageJson from '../../package.json' with { type: 'json' }
import type { RequestSpan, Span, SpanFacts, Tracer } from './spans.ts'

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT } as const

/** Makes spans by the SDK that this process has registered with OpenTelemetry. */
export function openTelemetry(): Tracer {
  const { name, version } = packageJson
  return { run, request }

  // Asked each time: it may be another SDK by now.
  function begin(span: string, kind: SpanKind, parent = context.active(), attributes: SpanFacts['attributes'] = {}) {
    return trace.getTracer(name, version).startSpan(span, { kind, attributes }, parent)
  }

  function run<T>(facts: SpanFacts, work: (span: Span) => Promise<T>): Promise<T> {
    const span = begin(facts.name, KINDS[facts.kind], context.active(), facts.attributes)
    return context.with(trace.setSpan(context.active(), span), () => untilEnd(span, work))
  }

  function request(method: string, headers: object): RequestSpan {
    const active = context.active()
    const isBegun = trace.getSpan(active) !== undefined
    const parent = isBegun ? active : propagation.extract(active, headers)
    const span = begin(method, isBegun ? SpanKind.INTERNAL : SpanKind.SERVER, parent)
    const own = trace.setSpan(parent, span)
    return {
      within: (work) => context.with(own, work),
      end: (name, attributes, hasFailed) => {
        span.updateName(name).setAttributes(attributes)
        if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    }
  }
}

async function untilEnd<T>(span: OpenSpan, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await work({ set: (attributes) => void span.setAttributes(attributes) })
  } catch (error) {
    // Without the message, which may name contents.
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}
